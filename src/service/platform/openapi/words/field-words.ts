import { accessWords, agreementWords } from './agreement-words.ts'
import { appearanceWords } from './appearance-words.ts'
import { chargeWords, checkoutWords } from './charge-words.ts'
import { commonWords, webhookWords } from './common-words.ts'

/**
 * What fields mean, by the end of their path: `amount` holds wherever no longer end does, `payment_terms.amount` only there. A path
 * begins with the name of the resource (`Charge`) or of the operation whose request it is in (`createCharge`).
 */
export type Words = Readonly<Record<string, string>>

const ALL = new Map(
  [
    commonWords,
    webhookWords,
    chargeWords,
    checkoutWords,
    appearanceWords,
    agreementWords,
    accessWords,
  ].flatMap((words) => Object.entries(words)),
)

/** What a field means, in the words of the longest end of its path that has some. */
export function fieldWords(path: readonly string[]): string | undefined {
  const ends = path.map((_, start) => path.slice(start).join('.'))
  return ends.map((end) => ALL.get(end)).find((words) => words !== undefined)
}
