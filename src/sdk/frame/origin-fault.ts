import { mixedContent, originUnknown } from './widget-faults.ts'
import type { WidgetError } from '../widget-error.ts'

/** Addresses of the machine itself, which browsers trust without https. */
const ITS_OWN = /^http:\/\/(?:localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/

/** Why no form can come from an origin, before it is asked; null where one may. */
export function originFault(origin: string): WidgetError | null {
  if (origin === '') return originUnknown()
  const isMixed = location.protocol === 'https:' && origin.startsWith('http:') && !ITS_OWN.test(origin)
  return isMixed ? mixedContent(origin) : null
}
