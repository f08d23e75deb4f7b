import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import type { FrameTemplate, Setup } from './frame-template.ts'
import { servedContentOf } from './served-content.ts'
import type { ServedContent } from './served-content.ts'

type DocumentFor = (template: FrameTemplate, setup: Setup, language?: Language) => Promise<ServedContent>

const inBrotli = promisify(brotliCompress)
const inGzip = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Of all releases together; one is some 90 kB. */
const MOST_KEPT = 250

/**
 * Makes frame documents and keeps the last ones: compressing at the highest level (`brotliQuality` 11, some 100 ms)
 * takes far longer than a request may, so each set-up pays it once.
 */
export function createFrameDocuments({ brotliQuality }: { brotliQuality: number }): DocumentFor {
  const kept = new Map<string, Promise<ServedContent>>()
  return (template, setup, language) => {
    const name = JSON.stringify([template.version, setup, language])
    const known = kept.get(name)
    if (known !== undefined) return known
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest)
    const made = makeDocument(template.fill(setup, language), brotliQuality)
    kept.set(name, made)
    return made
  }
}

async function makeDocument(identity: Buffer, brotliQuality: number): Promise<ServedContent> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const [br, gz] = await Promise.all([inBrotli(identity, { params }), inGzip(identity, { level: 9 })])
  return servedContentOf(
    { identity, br, gzip: gz },
    { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' },
  )
}
