/** A version by Semantic Versioning 2.0.0; its numbers stay text, so that none is too large. */
interface SemanticVersion {
  core: readonly string[]
  /** Identifiers after the hyphen: `['beta', '2']`; none for a stable version. */
  prerelease: readonly string[]
}

const NUMBER = '0|[1-9]\\d*'
const PRERELEASE = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`
const SEMANTIC_VERSION = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PRERELEASE}(?:\\.${PRERELEASE})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)

/** Reads `1.2.3`, `1.2.3-beta.1` and `1.2.3+build` (semver.org, items 2, 9, 10); null when it is none. */
export function semanticVersionOf(text: string): SemanticVersion | null {
  const [found, major = '', minor = '', patch = '', prerelease] = SEMANTIC_VERSION.exec(text) ?? []
  if (found === undefined) return null
  return { core: [major, minor, patch], prerelease: prerelease?.split('.') ?? [] }
}

/** Negative when `a` is the older (semver.org, item 11). Build metadata says nothing of age; text then decides. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [semanticVersionOf(a), semanticVersionOf(b)]
  if (first === null || second === null) throw new Error(`${first === null ? a : b} is not a version`)
  return (
    compareLists(first.core, second.core) ||
    Number(first.prerelease.length === 0) - Number(second.prerelease.length === 0) ||
    compareLists(first.prerelease, second.prerelease) ||
    compareText(a, b)
  )
}

/** Where one list is the beginning of the other, the longer is the newer. */
function compareLists(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((identifier, index) => identifier !== b[index])
  const [mine, theirs] = [a[differing], b[differing]]
  return mine === undefined || theirs === undefined ? a.length - b.length : compareIdentifiers(mine, theirs)
}

/** Numbers by their value, before all words; words in ASCII order. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber && isOtherNumber) return a.length - b.length || compareText(a, b)
  return Number(isOtherNumber) - Number(isNumber) || compareText(a, b)
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
