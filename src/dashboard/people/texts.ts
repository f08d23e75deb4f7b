import { inSentence } from '../formats/in-sentence.ts'

export const peopleTexts = {
  former: (name: string) => `${inSentence(name)} (former member)`,
  unknown: 'Somebody who has left',
} as const
