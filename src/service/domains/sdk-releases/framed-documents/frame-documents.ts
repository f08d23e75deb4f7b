import type { Language } from '../../../../contract/page/widget-appearance.ts'
import { compressibleContentOf } from '../../../platform/http/answers/content.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Content } from '../../../platform/http/answers/content.ts'
import type { FrameTemplate, Setup } from './frame-template.ts'

type DocumentFor = (template: FrameTemplate, setup: Setup, language?: Language) => Content

/** Of all releases together; one is some 90 kB. */
const MAX_KEPT = 250

/** Goes with every document: whether its key or intent is still good is asked each time. */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-cache',
}

/**
 * Of a document for merchants' pages: their SDK may read its policy, and what a proxy adds, to say why a browser shows nothing. All of it is public. A page that is
 * isolated from other origins (`Cross-Origin-Embedder-Policy`) shows only documents that ask the same of what they load, and say so.
 */
export const FORM_HEADERS = {
  ...DOCUMENT_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-security-policy, x-frame-options',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
}

/** `name` as the address has it, such as `v1.2.0`. */
export function releaseNotFound(widgetUrl: string, name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `${widgetUrl} has no SDK release ${name}. Those that it has: ${widgetUrl}/sdk/releases.json`,
  )
}

/**
 * Makes frame documents and keeps the last ones: compressing at the highest level (`brotliQuality` 11, some 100 ms)
 * takes far longer than a request may, so each set-up pays it once, and is served plain while others do.
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
