import { expect, it } from 'vitest'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import { readCheckoutTranslation, readTranslation } from '../testing/translations.ts'
import { WORD_NAMES } from './word-names.ts'

const ENGLISH = readTranslation('en').words
const holesIn = (text = '') => text.match(/\{\w+\}/g)?.sort() ?? []

it.each(LANGUAGES)('%s says all that there is to say', (language) => {
  const { words } = readTranslation(language)
  expect(Object.keys(words)).toEqual(WORD_NAMES)
  for (const name of WORD_NAMES) {
    expect(words[name]?.trim(), name).not.toBe('')
    expect(holesIn(words[name]), name).toEqual(holesIn(ENGLISH[name]))
  }
})

it.each(LANGUAGES)('no line of %s begins with a mark', (language) => {
  const { words } = readCheckoutTranslation(language)
  for (const [name, text] of Object.entries(words)) expect(text, name).not.toMatch(/ [:;?!»]/)
})

const HOLES =
  '{label} {hint} {schemes} {button} {amount} {merchant} {reference} {time} {card} {digits}'.split(' ')
/** A number that stands by itself at the end, behind a colon, counts nothing in its sentence. */
const numberByItself = /[:：]\s*\{longest\}\.?$/

it.each(LANGUAGES)('no text of %s counts anything, for which it would need plural forms', (language) => {
  const texts = [readTranslation(language), readCheckoutTranslation(language)].flatMap(({ words }) =>
    Object.values(words),
  )
  for (const text of texts)
    for (const hole of holesIn(text.replace(numberByItself, ''))) expect(HOLES, text).toContain(hole)
})
