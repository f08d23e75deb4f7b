import { expect, it } from 'vitest'
import { inSentence } from './in-sentence.ts'

it.each([
  ['Ada \u202eecalevoL', 'Ada ecalevoL'],
  ['\u2067\u2068Ada\u2069\u2069', 'Ada'],
  ['\u200fעדה\u061c', 'עדה'],
  ['Zoë 👩‍💻', 'Zoë 👩‍💻'],
])('%j is %j within a sentence', (text, words) => {
  expect(inSentence(text)).toBe(words)
})
