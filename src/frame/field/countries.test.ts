import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import { countriesFor, countriesIn, countryNamed } from './countries.ts'

const namesFor = (text: string, language = 'en') => countriesFor(text, language).map(({ name }) => name)
const codeOf = (text: string, language = 'en') => countryNamed(text, language)?.code

it.each(LANGUAGES)('%s names each country of ISO 3166-1, and Kosovo, in its own order', (language) => {
  const countries = countriesIn(language)
  const names = countries.map(({ name }) => name)
  expect(new Set(countries.map(({ code }) => code)).size).toBe(250)
  expect(new Set(names).size).toBe(250)
  expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare))
})

it.each(LANGUAGES)('the name that %s shows for a country is taken for that country', (language) => {
  const taken = countriesIn(language).filter(({ code, name }) => codeOf(name, language) !== code)
  expect(taken).toEqual([])
})

it('a name is shown, and no abbreviation of it', () => {
  const shown = (language: string) => ['GB', 'US'].map((code) => countryNamed(code, language)?.name)
  expect(shown('en')).toEqual(['United Kingdom', 'United States'])
  expect(shown('fr')).toEqual(['Royaume-Uni', 'États-Unis'])
  expect(shown('es')).toEqual(['Reino Unido', 'Estados Unidos'])
  expect(shown('hi')).toEqual(['यूनाइटेड किंगडम', 'अमेरिका'])
})

it('each code of two letters, and of three, is one country', () => {
  const codes = countriesIn('en').flatMap(({ keys }) => keys.slice(0, 2))
  expect(new Set(codes).size).toBe(500)
  for (const code of codes) expect(code).toMatch(/^[a-z]{2,3}$/)
})

describe('a country is known', () => {
  it.each([
    ['AU', 'AU'],
    ['aus', 'AU'],
    ['AUT', 'AT'],
    ['ATA', 'AQ'],
    ['DEU', 'DE'],
    ['KOR', 'KR'],
    ['U.S.A.', 'US'],
    ['uk', 'GB'],
    ['  australia ', 'AU'],
    ['Réunion', 'RE'],
    ['reunion', 'RE'],
    ['cote d’ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Saint Lucia', 'LC'],
    ['St Lucia', 'LC'],
    ['Trinidad and Tobago', 'TT'],
    ['Viet Nam', 'VN'],
    ['Hong Kong SAR China', 'HK'],
    ['Scotland', 'GB'],
    ['Holland', 'NL'],
    ['Russian Federation', 'RU'],
  ])('%s is %s', (text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  it('by its name in the form’s language and in English', () => {
    expect([codeOf('Deutschland', 'de'), codeOf('Germany', 'de')]).toEqual(['DE', 'DE'])
    expect([codeOf('ドイツ', 'ja'), codeOf('독일', 'ko'), codeOf('ألمانيا', 'ar')]).toEqual([
      'DE',
      'DE',
      'DE',
    ])
  })

  it('but not by a part of its name, or by nothing', () => {
    expect([codeOf('Austr'), codeOf('Atlantis'), codeOf(''), codeOf(' ')]).toEqual(Array(4).fill(undefined))
  })
})

describe('a search', () => {
  it('finds names by their beginning first, then by any part', () => {
    expect(namesFor('austr')).toEqual(['Australia', 'Austria'])
    expect(namesFor('guinea').slice(0, 2)).toEqual(['Guinea', 'Guinea-Bissau'])
    expect(namesFor('zeal')).toEqual(['New Zealand'])
  })

  it('puts what a code names first', () => {
    expect(namesFor('de')[0]).toBe('Germany')
    expect(namesFor('niger')).toEqual(['Niger', 'Nigeria'])
  })

  it('finds English names in a form of another language', () => {
    expect(namesFor('Germ', 'de')).toEqual(['Deutschland'])
    expect(namesFor('oster', 'de')).toEqual(['Österreich'])
  })

  it('of nothing finds all, and of what there is not nothing', () => {
    expect(namesFor('')).toHaveLength(250)
    expect(namesFor('Atlantis')).toEqual([])
  })
})
