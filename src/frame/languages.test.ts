import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as v from 'valibot'
import { LanguageWords } from '../contract/frame-setup.ts'
import { LANGUAGES } from '../contract/widget-appearance.ts'
import { ENGLISH } from './words.ts'

const wordsOf = (language: string) =>
  v.parse(LanguageWords, JSON.parse(readFileSync(`src/frame/languages/${language}.json`, 'utf8')))
const holesIn = (text = '') => text.match(/\{\w+\}/g)?.sort() ?? []

it.each(LANGUAGES.filter((language) => language !== 'en'))('%s says all that English says', (language) => {
  const words = wordsOf(language)
  expect(Object.keys(words)).toEqual(Object.keys(ENGLISH))
  for (const [name, text] of Object.entries(ENGLISH)) {
    expect(words[name]?.trim(), name).not.toBe('')
    expect(holesIn(words[name]), name).toEqual(holesIn(text))
  }
})
