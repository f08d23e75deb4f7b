import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { LanguageWords } from '../../contract/frame-setup.ts'
import type { KeySetup } from '../../contract/frame-setup.ts'
import { LANGUAGES } from '../../contract/widget-appearance.ts'
import type { Language } from '../../contract/widget-appearance.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()), style_hashes: v.array(v.string()) })
const PLACEHOLDER = '__SVC_SETUP__'

/** The built frame document, ready to take the set-up of one key. */
export interface FrameTemplate {
  /** In a language that the build has no document for, it is English. */
  fill: (setup: KeySetup, language?: Language) => string
  /** Sources of its own script and style for a Content-Security-Policy. */
  scripts: string
  styles: string
}

type Fill = (setup: KeySetup) => string

/** Reads the frame document of a release from its folder, in every language that is there. */
export function readFrameTemplate(folder: string): FrameTemplate {
  const hashes = v.parse(Hashes, readJson(join(folder, 'frame.json')))
  const sources = (list: string[]) => list.map((hash) => `'${hash}'`).join(' ')
  const english = fillerIn(folder, 'en')
  const there = LANGUAGES.filter((code) => existsSync(pathOf(folder, code)))
  const fillers = new Map(there.map((code) => [code, fillerIn(folder, code)]))
  return {
    fill: (setup, language = 'en') => (fillers.get(language) ?? english)(setup),
    scripts: sources(hashes.script_hashes),
    styles: sources(hashes.style_hashes),
  }
}

/** The words of the language go with the set-up, so that the form needs no second request for them. */
function fillerIn(folder: string, code: Language): Fill {
  const path = pathOf(folder, code)
  const language = {
    code,
    words: v.parse(LanguageWords, readJson(join(folder, 'languages', `${code}.json`))),
  }
  const [before, after, ...more] = readFileSync(path, 'utf8').split(PLACEHOLDER)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${path} must hold ${PLACEHOLDER} once`)
  }
  // `<` could end the script element that holds the JSON.
  return (setup) => before + JSON.stringify({ ...setup, language }).replaceAll('<', '\\u003c') + after
}

function pathOf(folder: string, code: Language): string {
  return join(folder, code === 'en' ? 'frame.html' : `frame.${code}.html`)
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
