import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { KeySetup } from '../../contract/frame-setup.ts'
import type { Language } from '../../contract/widget-appearance.ts'
import type { FrameTemplate } from './frame-template.ts'

/** A frame document for one key, plain and compressed. */
export interface FrameDocument {
  html: Buffer
  brotli: Buffer
  etag: string
}

const compress = promisify(brotliCompress)
const MOST_KEPT = 500

/**
 * Makes frame documents and keeps the last ones: compressing at the highest level takes far longer than a
 * request may, so each set-up pays it once.
 */
export function createFrameDocuments(
  template: FrameTemplate,
): (setup: KeySetup, language?: Language) => Promise<FrameDocument> {
  const kept = new Map<string, Promise<FrameDocument>>()
  return (setup, language) => {
    const name = JSON.stringify([setup, language])
    const known = kept.get(name)
    if (known !== undefined) return known
    if (kept.size >= MOST_KEPT) kept.clear()
    const made = makeDocument(template.fill(setup, language))
    kept.set(name, made)
    return made
  }
}

async function makeDocument(text: string): Promise<FrameDocument> {
  const html = Buffer.from(text)
  const brotli = await compress(html, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: html.length,
    },
  })
  return { html, brotli, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` }
}
