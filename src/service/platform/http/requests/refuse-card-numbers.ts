import { holdsCardNumber } from '../../../../card/number-in-text.ts'
import { schemeOf } from '../../../../card/scheme.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../errors.ts'

const MESSAGE = 'holds a card number; a card number goes into card_number alone'

/**
 * Throws `validation_error` when a text, number or name of what was parsed, at any depth, holds a card number: what is
 * kept in plain must hold none. `except` names the top-level fields that are not kept in plain: sealed, or only looked up.
 */
export function refuseCardNumbers(parsed: unknown, except: readonly string[] = []): void {
  if (typeof parsed !== 'object' || parsed === null) return
  const details = Object.entries(parsed).flatMap(([name, value]) =>
    except.includes(name) ? [] : faultsIn(value, name),
  )
  if (details.length > 0) {
    throw new ServiceError('validation_error', 'A card number stands where it must not. Nothing was kept.', {
      details,
    })
  }
}

function faultsIn(value: unknown, path: string): ErrorDetail[] {
  const isFault = typeof value === 'number' ? couldBeCardNumber(value) : isTextWithCardNumber(value)
  if (isFault) return [{ path, message: MESSAGE }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    holdsCardNumber(name) ? [{ path, message: MESSAGE }] : faultsIn(inner, `${path}.${name}`),
  )
}

function isTextWithCardNumber(value: unknown): boolean {
  return typeof value === 'string' && holdsCardNumber(value)
}

/**
 * Fractions are measurements, not card numbers. JSON numbers of 17 digits and more lose their last digits, so only their range and
 * length are checked.
 */
function couldBeCardNumber(value: number): boolean {
  const digits = String(Math.abs(value))
  if (!Number.isInteger(value) || Number.isSafeInteger(value))
    return holdsCardNumber(String(Math.trunc(value)))
  return schemeOf(digits)?.lengths.includes(digits.length) ?? false
}
