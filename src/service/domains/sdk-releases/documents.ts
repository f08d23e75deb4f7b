import * as v from 'valibot'
import { isPageOrigin } from '../../../contract/api/fields/page-origin.ts'
import type { AuthenticationSetup } from '../../../contract/page/authentication-setup.ts'
import type { CheckoutSetup } from '../../../contract/page/checkout-setup.ts'
import { LanguageWords } from '../../../contract/page/frame-setup.ts'
import type { KeySetup } from '../../../contract/page/frame-setup.ts'
import { LANGUAGES } from '../../../contract/page/widget-appearance.ts'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import { ServiceError } from '../../platform/errors.ts'
import { compressibleContentOf } from '../../platform/http/answers/content.ts'
import type { Content } from '../../platform/http/answers/content.ts'
import { latestOf } from './release.ts'
import type { Release } from './release.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()), style_hashes: v.array(v.string()) })
const PLACEHOLDER = '__SVC_SETUP__'

/** What a document is filled with, beside the language. */
export type Setup = KeySetup | Omit<CheckoutSetup, 'language'> | Omit<AuthenticationSetup, 'language'>

/** Which of a release's documents: the card form's, the checkout's, or that of a bank's step. */
type Kind = 'frame' | 'checkout' | 'authentication'

/** A release's document, ready to be filled with the set-up of a key or an intent. */
export interface FrameTemplate {
  version: string
  /** Where the release has no document in `pt-BR`, it is that in `pt`; English if it has neither. */
  fill: (setup: Setup, language?: Language) => Buffer
  /** Sources of its own script and style for a Content-Security-Policy. */
  scripts: string
  styles: string
}

type Fill = (setup: Setup) => Buffer

/** One kind of document of every release that has it, by the release's name in addresses: `v1.2.0`, `latest`. */
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
  const fillers = new Map<string, Fill>(there.map((code) => [code, fillerIn(release, kind, code)]))
  return {
    version: release.version,
    fill: (setup, language = 'en') =>
      (fillers.get(language) ?? fillers.get(withoutRegion(language)) ?? english)(setup),
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

function withoutRegion(language: string): string {
  return language.replace(/-.*/, '')
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

type DocumentFor = (template: FrameTemplate, setup: Setup, language?: Language) => Content

/** For all releases together; a document is some 90 kB. */
const MAX_KEPT = 250

/** For every document. It is asked for each time, as its key or intent may no longer be good. */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-cache',
}

/** For documents on merchants' pages. The page's SDK may read the policy, which is public, to say why a browser shows nothing. */
export const FRAMED_HEADERS = {
  ...DOCUMENT_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-security-policy, x-frame-options',
  'cross-origin-resource-policy': 'cross-origin',
}

/** A page that is isolated from other origins (`Cross-Origin-Embedder-Policy`) shows only documents that are isolated likewise. */
export const FORM_HEADERS = { ...FRAMED_HEADERS, 'cross-origin-embedder-policy': 'require-corp' }

/** `name` as the address has it, such as `v1.2.0`. */
export function releaseNotFound(widgetUrl: string, name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `${widgetUrl} has no SDK release ${name}. Those that it has: ${widgetUrl}/sdk/releases.json`,
  )
}

/**
 * Makes frame documents and keeps the last ones. Compressing at the highest level (`brotliQuality` 11, some 100 ms) takes far longer
 * than a request may: so each set-up is compressed once, and served plain meanwhile.
 */
export function createFrameDocuments({ brotliQuality }: { brotliQuality: number }): DocumentFor {
  const kept = new Map<string, Content>()
  return (template, setup, language) => {
    const name = JSON.stringify([template.version, setup, language])
    const known = kept.get(name)
    if (known !== undefined) return known
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest)
    const made = compressibleContentOf(template.fill(setup, language), { brotliQuality })
    kept.set(name, made)
    return made
  }
}

interface Sources {
  scripts: string
  styles: string
  /** Addresses that it may connect to; their queries don't count (CSP 3 §2.3.1). */
  asked: readonly string[]
  ancestors: Ancestors
  /** Sources of pages that it may show in a frame, and send forms to; none by default. */
  banks?: string
}

/** Origins whose pages may show a document; an empty list means every page may, `nobody` that none may. */
export type Ancestors = readonly string[] | 'nobody'

/**
 * The Content-Security-Policy of a frame document: it may run its own script and style, known by their hashes, and connect to the
 * addresses in `asked`, and nothing else but what `banks` says.
 */
export function frameContentSecurityPolicy({ scripts, styles, asked, ancestors, banks }: Sources): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `connect-src ${asked.map(withoutQuery).join(' ')}`,
    "base-uri 'none'",
    `form-action ${banks ?? "'none'"}`,
    ...(banks === undefined ? [] : [`frame-src ${banks}`]),
    `frame-ancestors ${frameAncestors(ancestors)}`,
  ]
  return policy.join('; ')
}

function frameAncestors(ancestors: Ancestors): string {
  if (ancestors === 'nobody') return "'none'"
  if (ancestors.length === 0) return '*'
  // Text that is no origin could end the directive and begin another.
  return ancestors.filter(isPageOrigin).join(' ') || "'none'"
}

function withoutQuery(address: string): string {
  return address.replace(/\?.*/, '')
}
