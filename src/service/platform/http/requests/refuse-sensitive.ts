import { schemeOf } from '../../../../card/scheme.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../errors.ts'
import { sensitiveIn } from '../../secrets/sensitive-text.ts'
import type { Sensitive } from '../../secrets/sensitive-text.ts'

const CARD_NUMBER = 'holds a card number; a card number goes into card_number alone'

/**
 * Throws `validation_error` when a text, number or name of a request, at any depth, holds a card number or a secret of this service:
 * what is kept in plain must hold none. It is looked for in what was sent and in what that was parsed to, as small letters hide what
 * is in base64, and an address is kept without its line breaks. `except` names the top-level fields that are not kept in plain:
 * sealed, or only looked up.
 */
export function refuseSensitive(sent: unknown, parsed: unknown, except: readonly string[] = []): void {
  const clean = new Set<string>()
  const inSent = faultsOf(sent, except, clean)
  const details = inSent.length > 0 ? inSent : faultsOf(parsed, except, clean)
  if (details.length === 0) return
  const what = details.some(({ message }) => message === CARD_NUMBER) ? 'A card number' : 'A secret'
  throw new ServiceError('validation_error', `${what} stands where it must not. Nothing was kept.`, {
    details,
  })
}

/** `clean`: texts that have been looked at and hold nothing. */
function faultsOf(given: unknown, except: readonly string[], clean: Set<string>): ErrorDetail[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([name, value]) =>
    except.includes(name) ? [] : faultsIn(value, name, clean),
  )
}

function faultsIn(value: unknown, path: string, clean: Set<string>): ErrorDetail[] {
  const found = foundIn(value, clean)
  if (found !== null) return [{ path, message: wordsOf(found) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const inName = foundIn(name, clean)
    return inName === null ? faultsIn(inner, `${path}.${name}`, clean) : [{ path, message: wordsOf(inName) }]
  })
}

function foundIn(value: unknown, clean: Set<string>): Sensitive | null {
  if (typeof value === 'number') return couldBeCardNumber(value) ? 'card number' : null
  if (typeof value !== 'string' || clean.has(value)) return null
  const found = sensitiveIn(value)
  if (found === null) clean.add(value)
  return found
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
