import { holdsCardNumber } from '../../../card/number-in-text.ts'
import { secretIn } from './secret-in-text.ts'
import type { SecretKind } from './secret-in-text.ts'

/** What may stand in no text that is kept in plain, logged or answered. */
export type Sensitive = 'card number' | SecretKind

/** What a text holds of a card or of a secret of this service; null where it holds neither. */
export function sensitiveIn(text: string): Sensitive | null {
  return secretIn(text) ?? (holdsCardNumber(text) ? 'card number' : null)
}

/** A text as it may be kept, logged or answered: `[card number]`, or the like, in the place of one that holds such a thing. */
export function withoutSensitive(text: string): string {
  const kind = sensitiveIn(text)
  return kind === null ? text : `[${kind}]`
}
