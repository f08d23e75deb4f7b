import { publicKeyMissing, secretKeyInPage } from './widget-faults.ts'
import type { WidgetError } from '../widget-error.ts'

/** Why a public key must not be sent; null where it may. A page without types may pass anything. */
export function keyFault(key: unknown): WidgetError | null {
  if (typeof key !== 'string' || key === '') return publicKeyMissing(key)
  return key.trim().startsWith('sk_') ? secretKeyInPage() : null
}
