import { schemeOf } from '../../../../card/scheme.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../errors.ts'
import { sensitiveIn } from '../../secrets/sensitive-text.ts'
import type { Sensitive } from '../../secrets/sensitive-text.ts'

const CARD_NUMBER = 'holds a card number; a card number goes into card_number alone'

/**
 * Throws `validation_error` when a text, number or name of what was parsed, at any depth, holds a card number or a secret of this
 * service: what is kept in plain must hold none. `except` names the top-level fields that are not kept in plain: sealed, or only looked up.
 */
export function refuseSensitive(parsed: unknown, except: readonly string[] = []): void {
  if (typeof parsed !== 'object' || parsed === null) return
  const details = Object.entries(parsed).flatMap(([name, value]) =>
    except.includes(name) ? [] : faultsIn(value, name),
  )
  if (details.length === 0) return
  const what = details.some(({ message }) => message === CARD_NUMBER) ? 'A card number' : 'A secret'
  throw new ServiceError('validation_error', `${what} stands where it must not. Nothing was kept.`, { details })
}

function faultsIn(value: unknown, path: string): ErrorDetail[] {
  const found = foundIn(value)
  if (found !== null) return [{ path, message: wordsOf(found) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const inName = sensitiveIn(name)
    return inName === null ? faultsIn(inner, `${path}.${name}`) : [{ path, message: wordsOf(inName) }]
  })
}

function foundIn(value: unknown): Sensitive | null {
  if (typeof value === 'string') return sensitiveIn(value)
  return typeof value === 'number' && couldBeCardNumber(value) ? 'card number' : null
}

function wordsOf(found: Sensitive): string {
  if (found === 'card number') return CARD_NUMBER
  return `holds a secret (${found}); send it only where it is asked for, and refer to things by their ids`
}

/**
 * Fractions are measurements, not card numbers. JSON numbers of 17 digits and more lose their last digits, so only their range and
 * length are checked.
 */
function couldBeCardNumber(value: number): boolean {
  const digits = String(Math.abs(value))
  if (!Number.isInteger(value) || Number.isSafeInteger(value))
    return sensitiveIn(String(Math.trunc(value))) !== null
  return schemeOf(digits)?.lengths.includes(digits.length) ?? false
}
