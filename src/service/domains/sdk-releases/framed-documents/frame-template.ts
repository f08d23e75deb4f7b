import * as v from 'valibot'
import { LanguageWords } from '../../../../contract/page/frame-setup.ts'
import type { CheckoutSetup } from '../../../../contract/page/checkout-setup.ts'
import type { KeySetup } from '../../../../contract/page/frame-setup.ts'
import { LANGUAGES } from '../../../../contract/page/widget-appearance.ts'
import type { Language } from '../../../../contract/page/widget-appearance.ts'
import { latestOf } from '../release.ts'
import type { Release } from '../release.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()), style_hashes: v.array(v.string()) })
const PLACEHOLDER = '__SVC_SETUP__'

/** What a document is filled with; it brings the language itself. */
export type Setup = KeySetup | Omit<CheckoutSetup, 'language'>

/** Which of a release's documents: the card form's, or the checkout's. */
type Kind = 'frame' | 'checkout'

/** A document of a release, ready to take the set-up of one key or intent. */
export interface FrameTemplate {
  version: string
  /** In a language that the release has no document for, it is English. */
  fill: (setup: Setup, language?: Language) => Buffer
  /** Sources of its own script and style for a Content-Security-Policy. */
  scripts: string
  styles: string
}

type Fill = (setup: Setup) => Buffer

/** One kind of document of each release that has it, by the release's name in addresses: `v1.2.0`, `latest`. */
export function templatesByRelease(
  releases: readonly Release[],
  kind: Kind,
): ReadonlyMap<string, FrameTemplate> {
  const having = releases.filter(({ files }) => files.has(`frame/${kind}.json`))
  const templates = new Map(having.map((release) => [`v${release.version}`, frameTemplateOf(release, kind)]))
  const latest = templates.get(`v${latestOf(releases)?.version ?? ''}`)
  return latest === undefined ? templates : templates.set('latest', latest)
}

/** A document of a release, in every language that it has. */
export function frameTemplateOf(release: Release, kind: Kind): FrameTemplate {
  const hashes = v.parse(Hashes, JSON.parse(fileOf(release, `frame/${kind}.json`).toString()))
  const sources = (list: string[]) => list.map((hash) => `'${hash}'`).join(' ')
  const english = fillerIn(release, kind, 'en')
  const there = LANGUAGES.filter((code) => release.files.has(pathOf(kind, code)))
  const fillers = new Map(there.map((code) => [code, fillerIn(release, kind, code)]))
  return {
    version: release.version,
    fill: (setup, language = 'en') => (fillers.get(language) ?? english)(setup),
    scripts: sources(hashes.script_hashes),
    styles: sources(hashes.style_hashes),
  }
}

/** The words of the language go with the set-up, so that the form needs no second request for them. */
function fillerIn(release: Release, kind: Kind, code: Language): Fill {
  const words: unknown = JSON.parse(fileOf(release, languagePathOf(kind, code)).toString())
  const language = { code, words: v.parse(LanguageWords, words) }
  const path = pathOf(kind, code)
  const document = fileOf(release, path)
  const start = document.indexOf(PLACEHOLDER)
  if (start < 0 || start !== document.lastIndexOf(PLACEHOLDER))
    throw new Error(`${path} of release ${release.version} must hold ${PLACEHOLDER} once`)
  const [before, after] = [document.subarray(0, start), document.subarray(start + PLACEHOLDER.length)]
  // `<` could end the script element that holds the JSON.
  return (setup) =>
    Buffer.concat([
      before,
      Buffer.from(JSON.stringify({ ...setup, language }).replaceAll('<', '\\u003c')),
      after,
    ])
}

function pathOf(kind: Kind, code: Language): string {
  return code === 'en' ? `frame/${kind}.html` : `frame/${kind}.${code}.html`
}

function languagePathOf(kind: Kind, code: Language): string {
  return kind === 'frame' ? `languages/${code}.json` : `languages/${kind}/${code}.json`
}

function fileOf({ version, files }: Release, path: string): Buffer {
  const file = files.get(path)
  if (file === undefined) throw new Error(`release ${version} has no ${path}`)
  return file.content
}
