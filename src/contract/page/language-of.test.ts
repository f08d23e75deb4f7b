import { expect, it } from 'vitest'
import { languageOf } from './language-of.ts'

it.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['fr-CA', 'fr'],
  ['de_AT', 'de'],
  ['pt', 'pt'],
  ['pt-PT', 'pt'],
  ['pt-AO', 'pt'],
  ['pt-BR', 'pt-BR'],
  ['pt_br', 'pt-BR'],
  ['pt-BR-u-nu-latn', 'pt-BR'],
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-SG', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['zh-MO', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh_Hant_HK', 'zh-TW'],
  ['zh-hant-cn', 'zh-TW'],
  ['xx', undefined],
  ['', undefined],
])('the texts for %j are those of %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})
