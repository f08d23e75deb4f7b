import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import { GLOSSARIES } from '../testing/glossary.ts'
import {
  readAuthenticationTranslation,
  readCheckoutTranslation,
  readTranslation,
} from '../testing/translations.ts'
import { AUTHENTICATION_WORD_NAMES } from '../authentication/authentication-word-names.ts'
import { WORD_NAMES } from './word-names.ts'

const ENGLISH = readTranslation('en').words
/** Every text of the form, of the checkout and of a bank's step. */
const textsOf = (language: Language) => [
  ...Object.values(readTranslation(language).words),
  ...Object.values(readCheckoutTranslation(language).words),
  ...Object.values(readAuthenticationTranslation(language).words),
]
const withoutHoles = (text: string) => text.replace(/\{\w+\}/g, '')
const holesIn = (text = '') => text.match(/\{\w+\}/g)?.sort() ?? []

it.each(LANGUAGES)('%s says all that there is to say', (language) => {
  const { words } = readTranslation(language)
  expect(Object.keys(words)).toEqual(WORD_NAMES)
  for (const name of WORD_NAMES) {
    expect(words[name]?.trim(), name).not.toBe('')
    expect(holesIn(words[name]), name).toEqual(holesIn(ENGLISH[name]))
  }
})

it.each(LANGUAGES)('%s says all that there is to say of a bank’s step', (language) => {
  const english = readAuthenticationTranslation('en').words
  const { words } = readAuthenticationTranslation(language)
  expect(Object.keys(words)).toEqual(AUTHENTICATION_WORD_NAMES)
  for (const name of AUTHENTICATION_WORD_NAMES) {
    expect(words[name]?.trim(), name).not.toBe('')
    expect(holesIn(words[name]), name).toEqual(holesIn(english[name]))
  }
})

it.each(LANGUAGES)('no line of %s begins with a mark', (language) => {
  for (const text of textsOf(language)) expect(text).not.toMatch(/ [:;?!»]/)
})

const HOLES =
  '{label} {hint} {schemes} {button} {amount} {merchant} {reference} {time} {card} {digits} {country} {example}'.split(
    ' ',
  )
/** A number that stands by itself at the end, behind a colon, counts nothing in its sentence. */
const numberByItself = /[:：]\s*\{(?:longest|count)\}[.。।]?$/

it.each(LANGUAGES)('no text of %s counts anything, for which it would need plural forms', (language) => {
  for (const text of textsOf(language))
    for (const hole of holesIn(text.replace(numberByItself, ''))) expect(HOLES, text).toContain(hole)
})

describe.each(LANGUAGES)('%s has one word for one thing:', (language) => {
  const texts = textsOf(language).map(withoutHoles)

  it.each(Object.entries(GLOSSARIES[language]))('%s', (_term, [word, rivals]) => {
    expect(texts.filter((text) => rivals.test(text))).toEqual([])
    expect(texts.join('\n').toLowerCase()).toContain(word.toLowerCase())
  })
})

describe.each(LANGUAGES)('%s', (language) => {
  it('writes marks as its typography does', () => {
    for (const text of textsOf(language)) expect(text).not.toMatch(WRONG_MARKS[language] ?? MACHINE_MARKS)
  })

  it('names the button in the same way in each text', () => {
    const named = textsOf(language).flatMap((text) => text.match(/.?\{button\}/g) ?? [])
    expect(new Set(named).size).toBe(1)
  })
})

/** Straight quotes and apostrophes, and three full stops. */
const MACHINE_MARKS = /['"]|\.\.\./
const WRONG_MARKS: Partial<Record<Language, RegExp>> = {
  de: /['"„]|\.\.\.|[^ ]…/,
  // A space that breaks no line stands before these marks.
  fr: /['"]|\.\.\.|[^\u00a0\u202f][:;?!]/,
  ja: /['"]|\.\.\.|[,;:?!]|[^\w]\./,
  zh: /['"]|\.\.\.|[,;:?!]|[^\w]\./,
  'zh-TW': /['"“”]|\.\.\.|[,;:?!]|[^\w]\./,
  ar: /['"]|\.\.\.|[,;?]/,
  hi: /['"]|\.\.\.|[^\w]\./,
}

it('zh-TW has no simplified character', () => {
  const SIMPLIFIED = /[请码号检误银账户结联网络数据页这张们无择间额为与从个过还进连选确认证]/
  expect(textsOf('zh-TW').filter((text) => SIMPLIFIED.test(text))).toEqual([])
})

it('Arabic isolates what runs from left to right in a text', () => {
  const { expiry_form, wrong_expiry, wrong_email } = readTranslation('ar').words
  expect(expiry_form).toMatch(/^\u2068[^\u2069]+\u2069 \/ \u2068[^\u2069]+\u2069$/)
  expect([wrong_expiry, wrong_email]).toEqual([
    expect.stringContaining('\u206604\u00a0/\u00a029\u2069'),
    expect.stringContaining('\u2066name@example.com\u2069'),
  ])
  const { reference, paid_text } = readCheckoutTranslation('ar').words
  expect([reference, paid_text]).toEqual([
    expect.stringContaining('\u2068{reference}\u2069'),
    expect.stringContaining('\u2068{merchant}\u2069'),
  ])
})
