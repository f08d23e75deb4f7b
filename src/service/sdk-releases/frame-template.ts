import * as v from 'valibot'
import { LanguageWords } from '../../contract/frame-setup.ts'
import type { KeySetup } from '../../contract/frame-setup.ts'
import { LANGUAGES } from '../../contract/widget-appearance.ts'
import type { Language } from '../../contract/widget-appearance.ts'
import type { Release } from './release.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()), style_hashes: v.array(v.string()) })
const PLACEHOLDER = '__SVC_SETUP__'

/** The frame document of a release, ready to take the set-up of one key. */
export interface FrameTemplate {
  version: string
  /** In a language that the release has no document for, it is English. */
  fill: (setup: KeySetup, language?: Language) => Buffer
  /** Sources of its own script and style for a Content-Security-Policy. */
  scripts: string
  styles: string
}

type Fill = (setup: KeySetup) => Buffer

/** The frame document of a release, in every language that it has. */
export function frameTemplateOf(release: Release): FrameTemplate {
  const hashes = v.parse(Hashes, JSON.parse(fileOf(release, 'frame/frame.json').toString()))
  const sources = (list: string[]) => list.map((hash) => `'${hash}'`).join(' ')
  const english = fillerIn(release, 'en')
  const there = LANGUAGES.filter((code) => release.files.has(pathOf(code)))
  const fillers = new Map(there.map((code) => [code, fillerIn(release, code)]))
  return {
    version: release.version,
    fill: (setup, language = 'en') => (fillers.get(language) ?? english)(setup),
    scripts: sources(hashes.script_hashes),
    styles: sources(hashes.style_hashes),
  }
}

/** The words of the language go with the set-up, so that the form needs no second request for them. */
function fillerIn(release: Release, code: Language): Fill {
  const words: unknown = JSON.parse(fileOf(release, `languages/${code}.json`).toString())
  const language = { code, words: v.parse(LanguageWords, words) }
  const document = fileOf(release, pathOf(code))
  const start = document.indexOf(PLACEHOLDER)
  if (start < 0 || start !== document.lastIndexOf(PLACEHOLDER))
    throw new Error(`${pathOf(code)} of release ${release.version} must hold ${PLACEHOLDER} once`)
  const [before, after] = [document.subarray(0, start), document.subarray(start + PLACEHOLDER.length)]
  // `<` could end the script element that holds the JSON.
  return (setup) =>
    Buffer.concat([
      before,
      Buffer.from(JSON.stringify({ ...setup, language }).replaceAll('<', '\\u003c')),
      after,
    ])
}

function pathOf(code: Language): string {
  return code === 'en' ? 'frame/frame.html' : `frame/frame.${code}.html`
}

function fileOf({ version, files }: Release, path: string): Buffer {
  const file = files.get(path)
  if (file === undefined) throw new Error(`release ${version} has no ${path}`)
  return file.content
}
