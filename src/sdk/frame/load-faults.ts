import {
  mixedContent,
  originUnknown,
  publicKeyMissing,
  secretKeyInPage,
  originNotAllowed,
} from './widget-faults.ts'
import type { WidgetError } from '../widget-error.ts'

/** Addresses of the machine itself, which browsers trust without https. */
const ITS_OWN = /^http:\/\/(?:localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/

/** Why no form can come from an origin, before it is asked; null where one may. */
export function originFault(origin: string): WidgetError | null {
  if (origin === '') return originUnknown()
  const isMixed = location.protocol === 'https:' && origin.startsWith('http:') && !ITS_OWN.test(origin)
  return isMixed ? mixedContent(origin) : null
}

/** Why a public key must not be sent; null where it may. A page without types may pass anything. */
export function keyFault(key: unknown): WidgetError | null {
  if (typeof key !== 'string' || key === '') return publicKeyMissing(key)
  return key.trim().startsWith('sk_') ? secretKeyInPage() : null
}

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
    // Browsers take `*` for every page of the web: one from the disk is none.
    const everyPage = location.protocol === 'file:' ? 'file:' : '*'
    return [everyPage, location.origin].some((one) => allowed.split(' ').includes(one))
      ? null
      : originNotAllowed(origin)
  } catch {
    return null
  }
}
