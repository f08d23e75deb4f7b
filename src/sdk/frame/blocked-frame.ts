import { originNotAllowed } from './widget-faults.ts'
import type { WidgetError } from '../widget-error.ts'

/**
 * Why a browser shows nothing of a document that the service answers, by that document's own policy; null where the policy lets this
 * page show it, or could not be had. Browsers do not tell a page themselves.
 */
export async function refusalOf(origin: string, path: string): Promise<WidgetError | null> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- the page's one request of ours, where a form does not come
    const { headers } = await fetch(origin + path, { method: 'HEAD', credentials: 'omit' })
    const policy = headers.get('content-security-policy') ?? ''
    const [, allowed = '*'] = /frame-ancestors ([^;]+)/.exec(policy) ?? []
    return ['*', location.origin].some((one) => allowed.split(' ').includes(one))
      ? null
      : originNotAllowed(origin)
  } catch {
    return null
  }
}
