import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import { createFormats, localeOf } from './formats.ts'

const NOW = Date.parse('2026-11-21T13:30:00Z')
const formats = (locale: string, timeZone = 'Australia/Sydney') =>
  createFormats({ locale, timeZone, now: () => NOW })

/** Without the marks of direction and the spaces of fixed width that languages put in. */
/** Without marks of direction and kinds of white space; Node 20 writes AM in Korean, and Node 22 the word. */
const plain = (text: string) =>
  text
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s/g, ' ')
    .replace('오전', 'AM')

describe('the language of numbers and dates', () => {
  it.each([
    [['de-AT', 'en'], 'de-AT'],
    [['sv', 'fr-CA'], 'fr-CA'],
    [['sv'], 'en-AU'],
    [[], 'en-AU'],
  ])('%j is %s', (languages, locale) => {
    expect(localeOf(languages)).toBe(locale)
  })
})

describe('money', () => {
  it.each([
    ['en-AU', '$1,234.50'],
    ['de', '1.234,50 AU$'],
    ['fr', '1 234,50 $AU'],
    ['ja', 'A$1,234.50'],
  ])('in %s is %s', (locale, words) => {
    expect(plain(formats(locale).money(123_450, 'AUD'))).toBe(words)
  })

  it('loses no cent of the largest amounts', () => {
    expect(formats('en-AU').money(999_999_999, 'AUD')).toBe('$9,999,999.99')
  })
})

/** Money, a number, a share, a time of Sydney, a day and a distance in time, as each of the form's languages writes them. */
const LANGUAGE_FORMATS: Readonly<Record<(typeof LANGUAGES)[number], readonly string[]>> = {
  en: ['A$1,234.50', '12,345.6', '93.4%', 'Nov 22, 2026, 12:30 AM', 'Nov 22, 2026', '2 hours ago'],
  fr: ['1 234,50 $AU', '12 345,6', '93,4 %', '22 nov. 2026, 00:30', '22 nov. 2026', 'il y a 2 heures'],
  de: ['1.234,50 AU$', '12.345,6', '93,4 %', '22.11.2026, 00:30', '22.11.2026', 'vor 2 Stunden'],
  es: ['1234,50 AUD', '12.345,6', '93,4 %', '22 nov 2026, 0:30', '22 nov 2026', 'hace 2 horas'],
  it: ['1234,50 A$', '12.345,6', '93,4%', '22 nov 2026, 00:30', '22 nov 2026', '2 ore fa'],
  pt: ['AU$ 1.234,50', '12.345,6', '93,4%', '22 de nov. de 2026, 00:30', '22 de nov. de 2026', 'há 2 horas'],
  'pt-BR': [
    'AU$ 1.234,50',
    '12.345,6',
    '93,4%',
    '22 de nov. de 2026, 00:30',
    '22 de nov. de 2026',
    'há 2 horas',
  ],
  nl: ['AU$ 1.234,50', '12.345,6', '93,4%', '22 nov 2026, 00:30', '22 nov 2026', '2 uur geleden'],
  ja: ['A$1,234.50', '12,345.6', '93.4%', '2026/11/22 0:30', '2026/11/22', '2 時間前'],
  zh: ['AU$1,234.50', '12,345.6', '93.4%', '2026年11月22日 00:30', '2026年11月22日', '2小时前'],
  'zh-TW': ['AU$1,234.50', '12,345.6', '93.4%', '2026年11月22日 凌晨12:30', '2026年11月22日', '2 小時前'],
  ko: ['AU$1,234.50', '12,345.6', '93.4%', '2026. 11. 22. AM 12:30', '2026. 11. 22.', '2시간 전'],
  ar: ['1,234.50 AU$', '12,345.6', '93.4%', '22/11/2026، 12:30 ص', '22/11/2026', 'قبل ساعتين'],
  hi: ['A$1,234.50', '12,345.6', '93.4%', '22 नव॰ 2026, 12:30 am', '22 नव॰ 2026', '2 घंटे पहले'],
}

describe('the form’s languages', () => {
  it.each(LANGUAGES)('%s writes money, numbers and times in its own way', (language) => {
    const { money, number, percent, dateTime, day, relative } = formats(language)
    const time = '2026-11-21T13:30:00Z'
    expect(
      [
        money(123_450, 'AUD'),
        number(12_345.6),
        percent(0.934),
        dateTime(time),
        day('2026-11-22'),
        relative('2026-11-21T11:30:00Z'),
      ].map(plain),
    ).toEqual(LANGUAGE_FORMATS[language])
  })
})

describe('times', () => {
  it('are those of the person’s zone', () => {
    expect(plain(formats('en-AU').dateTime('2026-11-21T13:30:00Z'))).toBe('22 Nov 2026, 12:30 am')
    expect(plain(formats('en-GB', 'UTC').dateTime('2026-11-21T13:30:00Z'))).toBe('21 Nov 2026, 13:30')
  })

  it.each([
    ['2026-11-21T13:29:50Z', '10 seconds ago'],
    ['2026-11-21T15:30:00Z', 'in 2 hours'],
    ['2026-11-20T13:00:00Z', 'yesterday'],
    ['2026-11-14T13:30:00Z', '7 days ago'],
  ])('%s is %s', (time, words) => {
    expect(formats('en-AU').relative(time)).toBe(words)
  })
})

describe('a day from now', () => {
  // Now it is 00:30 of the 22nd in Sydney, and 13:30 of the 21st in UTC.
  it.each([
    ['Australia/Sydney', '2026-11-22T12:59:00Z', 'today'],
    ['Australia/Sydney', '2026-11-22T13:00:00Z', 'tomorrow'],
    ['UTC', '2026-11-22T00:00:00Z', 'tomorrow'],
    ['UTC', '2026-11-24T23:59:59Z', 'in 3 days'],
    ['UTC', '2026-11-20T23:59:59Z', 'yesterday'],
  ])('is counted by the calendar: in %s %s is %s', (zone, time, words) => {
    expect(formats('en-AU', zone).relativeDay(time)).toBe(words)
  })
})

describe('a day of the zone', () => {
  it.each([
    ['Australia/Sydney', '2026-11-21', '2026-11-20T13:00:00.000Z', '2026-11-21T13:00:00.000Z'],
    ['UTC', '2026-02-28', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    // Summer time begins at 2 o'clock of the 4th, which has 23 hours, and ends on 4 April, which has 25.
    ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00:00.000Z', '2026-10-04T13:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ])('%s %s is from %s to %s', (timeZone, day, from, to) => {
    const { dayStart, dayEnd } = formats('en-AU', timeZone)
    expect([dayStart(day), dayEnd(day)]).toEqual([from, to])
  })

  it.each(['', '2026-13-01', 'yesterday', '2026-02-31'])('%j is none', (day) => {
    expect(formats('en-AU').dayStart(day)).toBeNull()
  })
})
