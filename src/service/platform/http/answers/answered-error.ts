import type { Envelope, ErrorDetail } from '../../../../contract/api/envelope.ts'
import type { ServiceError } from '../../errors.ts'
import { withoutSensitiveInStartOf } from '../../secrets/sensitive-text.ts'

/** So few and so short that no error takes more than 16 kB, whatever the request was. */
const MAX_DETAILS = 16
const LONGEST_PATH = 100
const LONGEST_MESSAGE = 180
/** Characters that JSON would escape with six characters each. */
const unprintable = /[\p{C}\u2028\u2029]/gu

/**
 * `error` of an answer (contract §2). Names that a caller made up stand in its paths: they are cut, and hidden when what is left
 * holds a card number or a secret. After 16 details a last one says how many more there are.
 */
export function answeredError({
  code,
  message,
  details,
}: Pick<ServiceError, 'code' | 'message' | 'details'>): NonNullable<Envelope['error']> {
  const said = { code, message: shown(message, LONGEST_MESSAGE) }
  return details === undefined ? said : { ...said, details: shownDetails(details) }
}

function shownDetails(details: readonly ErrorDetail[]): ErrorDetail[] {
  const first = details.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: shown(path, LONGEST_PATH),
    message: shown(message, LONGEST_MESSAGE),
  }))
  const more = details.length - first.length
  return more === 0 ? first : [...first, { path: '', message: `and ${more} more` }]
}

function shown(text: string, longest: number): string {
  return withoutSensitiveInStartOf(text, longest).replace(unprintable, '�')
}
