import { holdsCardNumber } from '../../../card/number-in-text.ts'
import { secretIn } from './secret-in-text.ts'
import type { SecretKind } from './secret-in-text.ts'

/** What may stand in no text that is kept in plain, logged or answered. */
export type Sensitive = 'card number' | SecretKind

/** A number or secret that begins in what is shown ends here, also where each character is an escape of six and a gap. */
const SEARCHED_BEHIND = 480
/** The first half of a character that was cut in two. */
const halfCharacter = /[\uD800-\uDBFF]$/

/** What a text holds of a card or of a secret of this service; null where it holds neither. */
export function sensitiveIn(text: string): Sensitive | null {
  return secretIn(text) ?? (holdsCardNumber(text) ? 'card number' : null)
}

/** A text as it may be kept, logged or answered: `[card number]`, or the like, in the place of one that holds such a thing. */
export function withoutSensitive(text: string): string {
  const kind = sensitiveIn(text)
  return kind === null ? text : `[${kind}]`
}

/**
 * The beginning of a text from anybody, as it may be logged or answered: `longest` characters at most, and `…` where there were more.
 * Only what is shown and a little behind it is searched, so that a long text costs no more than a short one.
 */
export function withoutSensitiveInStartOf(text: string, longest: number): string {
  const shown = withoutSensitive(text.slice(0, longest + SEARCHED_BEHIND))
  return shown.length <= longest ? shown : `${shown.slice(0, longest).replace(halfCharacter, '')}…`
}
