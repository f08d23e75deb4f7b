import { accessWords, agreementWords } from './agreement-words.ts'
import { appearanceWords } from './appearance-words.ts'
import { chargeWords, checkoutWords } from './charge-words.ts'
import { commonWords, webhookWords } from './common-words.ts'

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
