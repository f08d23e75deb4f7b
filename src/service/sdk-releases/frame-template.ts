import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { FrameSetup } from '../../contract/frame-setup.ts'

const Hashes = v.object({ script_hashes: v.array(v.string()), style_hashes: v.array(v.string()) })
const PLACEHOLDER = '__SVC_SETUP__'

/** The built frame document, ready to take the set-up of one key. */
export interface FrameTemplate {
  fill: (setup: FrameSetup) => string
  /** Sources of its own script and style for a Content-Security-Policy. */
  scripts: string
  styles: string
}

/** Reads the frame document of a release from its folder. */
export function readFrameTemplate(folder: string): FrameTemplate {
  const [before, after, ...more] = readFileSync(join(folder, 'frame.html'), 'utf8').split(PLACEHOLDER)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${folder}/frame.html must hold ${PLACEHOLDER} once`)
  }
  const hashes = v.parse(Hashes, JSON.parse(readFileSync(join(folder, 'frame.json'), 'utf8')))
  const sources = (list: string[]) => list.map((hash) => `'${hash}'`).join(' ')
  return {
    // `<` could end the script element that holds the JSON.
    fill: (setup) => before + JSON.stringify(setup).replaceAll('<', '\\u003c') + after,
    scripts: sources(hashes.script_hashes),
    styles: sources(hashes.style_hashes),
  }
}
