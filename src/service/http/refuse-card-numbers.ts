import { holdsCardNumber } from '../../card/number-in-text.ts'
import type { ErrorDetail } from '../../contract/envelope.ts'
import { ServiceError } from '../errors.ts'

const MESSAGE = 'holds a card number; a card number goes into card_number alone'

/**
 * Throws `validation_error` when a text of a parsed body, at any depth, holds a card number: what is kept in plain
 * must hold none. `except` names the top-level fields that are kept encrypted.
 */
export function refuseCardNumbers(body: object, except: readonly string[] = []): void {
  const details = Object.entries(body).flatMap(([name, value]) =>
    except.includes(name) ? [] : faultsIn(value, name),
  )
  if (details.length > 0) {
    throw new ServiceError('validation_error', 'A card number stands where it must not. Nothing was kept.', {
      details,
    })
  }
}

function faultsIn(value: unknown, path: string): ErrorDetail[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return holdsCardNumber(String(value)) ? [{ path, message: MESSAGE }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(holdsCardNumber(name) ? [{ path, message: MESSAGE }] : []),
    ...faultsIn(inner, `${path}.${name}`),
  ])
}
