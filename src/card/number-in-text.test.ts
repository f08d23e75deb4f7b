import { describe, expect, it } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'

const NBSP = '\u00a0'

function escapedAs(escape: (digit: string) => string): string {
  return Array.from('5111111111111118').map(escape).join('')
}

describe('a card number in a text is found', () => {
  it.each([
    ['with expiry and code', '5111 1111 1111 1118 01/39 100'],
    ['with expiry and code in groups of four', '5111 1111 1111 1118 0139 1000'],
    ['with a code', '5111111111111118 100'],
    ['with a code and nothing between', '5111111111111118100'],
    ['with a code behind the last group', '4012 0000 3333 0026100'],
    ['with a code of four digits and nothing between', '3714496353984311000'],
    ['with an expiry and nothing between', '51111111111111180139'],
    ['with an expiry of six digits and nothing between', '5111111111111118012039'],
    ['behind a quantity', '2 5111111111111118'],
    ['behind a quantity, in groups', '2 5111 1111 1111 1118'],
    ['behind an order number in four digits', '1234 5111 1111 1111 1118'],
    ['behind an order number, before an expiry', '1234 5111 1111 1111 1118 01/39'],
    ['with dots', '5111.1111.1111.1118'],
    ['with slashes', '5111/1111/1111/1118'],
    ['with underscores', '5111_1111_1111_1118'],
    ['with middle dots', '5111·1111·1111·1118'],
    ['with commas', '5111,1111,1111,1118'],
    ['with bars', '5111 | 1111 | 1111 | 1118'],
    ['with dashes of several kinds', '5111–1111—1111‑1118'],
    ['with the long mark that a Japanese keyboard types for a dash', '5111ー1111ー1111ー1118'],
    ['with no-break spaces', `5111${NBSP}1111${NBSP}1111${NBSP}1118`],
    ['with two spaces', '5111  1111  1111  1118'],
    ['with tabs and line ends', '5111\t1111\r\n1111\n1118'],
    ['with zero-width spaces within a group', '51\u200b11 1111 1111 1118'],
    ['with soft hyphens', '5111\u00ad1111\u00ad1111\u00ad1118'],
    ['with several separators', '5111-1111 1111.1118'],
    ['digit by digit', '5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 8 0 1 3 9'],
    ['in two halves', '51111111 11111118 01/39'],
    ['in other groups', '51 11 11 11 11 11 11 18'],
    ['in other groups, with expiry and code', '511 111 111 111 1118 01/39 100'],
    ['with expiry and code right behind', '51111111111111180139100'],
    ['with a long expiry and a code right behind, after a quantity', '1 5111111111111118012039100'],
    ['between letters', 'card5111111111111118cvc100'],
    ['behind a word', 'ref5111111111111118'],
    ['before a letter', '5111111111111118x'],
    ['in JSON', '{"pan":5111111111111118}'],
    ['in a list of texts in JSON', '["5111","1111","1111","1118"]'],
    ['behind a list of amounts', '12.50, 13.75: 5111 11111111 1118'],
    ['of American Express, as printed', '3714 496353 98431 1000'],
    ['of American Express, by fours', '3714-4963-5398-431'],
    ['of Diners Club', '3056 930902 5904'],
    ['of 19 digits', '6304 9000 1774 0292 441'],
    ['of Maestro', 'pay 6759649826438453 now'],
    ['in Arabic-Indic digits', '٥١١١ ١١١١ ١١١١ ١١١٨'],
    ['in Devanagari digits', '५१११ ११११ ११११ १११८'],
    ['in full-width digits', '５１１１　１１１１　１１１１　１１１８'],
    ['in mathematical digits', '𝟓𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟖'],
    ['in superscript and circled digits', '⁵¹¹¹¹¹¹¹ ①①①①①①①⑧'],
    [
      'in keycaps',
      Array.from('5111111111111118')
        .map((digit) => `${digit}\ufe0f\u20e3`)
        .join(''),
    ],
    [
      'struck through',
      Array.from('5111111111111118')
        .map((digit) => `${digit}\u0336`)
        .join(''),
    ],
    ['percent-encoded', '5111%201111%201111%201118'],
    [
      'percent-encoded whole',
      Array.from('5111111111111118')
        .map((digit) => `%3${digit}`)
        .join(''),
    ],
    ['in HTML entities', '5111&nbsp;1111&#160;1111&#xa0;1118'],
    [
      'in HTML entities whole',
      Array.from('5111111111111118')
        .map((digit) => `&#${48 + Number(digit)};`)
        .join(''),
    ],
    ['escaped as in JSON', String.raw`5111\n1111\u00201111\t1118`],
    ['percent-encoded twice', '5111%25201111%25201111%25201118'],
    ['percent-encoded three times, whole', escapedAs((digit) => `%25253${digit}`)],
    ['escaped twice as in JSON', escapedAs((digit) => String.raw`\\u003${digit}`)],
    ['escaped in part, twice, as in JSON', String.raw`511\\u0031111111111118`],
    ['escaped as in JavaScript', escapedAs((digit) => String.raw`\u{3${digit}}`)],
    ['in HTML entities, escaped again', escapedAs((digit) => `&amp;#${48 + Number(digit)};`)],
    ['in the track of a magnetic stripe', '%B5111111111111118^HOPPER/GRACE^39011010000000000?'],
    ['of 15 digits and more behind a plus', '+371449635398431'],
    ['of 16 digits behind a plus, in groups', '+51 11 11 11 11 11 11 18'],
    ['behind a plus that begins no phone number', 'a+30569309025904'],
    ['behind a phone number', '+6281233971894, 5111 1111 1111 1118'],
    ['beside an IBAN', 'DE89 3704 0044 0532 0130 00, 5111 1111 1111 1118'],
    ['beside a UUID', '0b8f5111-1111-4111-8111-181111111111 5111111111111118'],
  ])('%s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(true)
  })
})

describe('what is no card number is let through', () => {
  it.each([
    ['nothing', ''],
    ['four digits', '•••• 1118'],
    ['a wrong check digit', '5111 1111 1111 1119'],
    ['a wrong range', '7111 1111 1111 1116'],
    ['a date and a counter', '20261122-000123'],
    ['a day and a time', '23/11/2026 10:15 0007'],
    ['a place', '40.712776, -74.005974'],
    ['an IBAN', 'DE45 5111 8614 4270 3161 00'],
    ['an IBAN without groups', 'AT614795882024392126'],
    ['a UUID', '0b8f5111-1111-4111-8111-181111111111'],
    ['an id of ours', '6b015111111111111118aaaa'],
    ['a hash', 'e3bc44298fc1c149afb5111111111111118ae41e4649b934ca495991b7852b85'],
    ['a phone number', '+62 812 3456 7890 1'],
    ['a phone number without gaps', '+6281233971894'],
    ['a phone number without gaps, in full-width digits', '＋６２８１２３３９７１８９４'],
    ['a phone number in fours', '+6281 2339 7189 4'],
    ['a phone number in a sentence', 'Ring me: +6281233971894 from 7 to 9'],
    ['a parcel', '9400 4111 8992 2339 7665 00'],
    ['a Swiss QR reference', '21 37000 00003 13942 14300 09017'],
    ['part of a longer number', '00511111111111111800'],
    ['a price with all its decimals', '12.50 x 3 = 37.50'],
    ['two phone numbers with a slash', '6111 1111 / 1111 1116'],
    ['two phone numbers with a comma', '6111 1111, 1111 1116'],
    ['order numbers of eight digits', '51111111,11111118,12345678'],
    ['order numbers of four digits', '5111, 1111, 1111, 1118'],
    ['amounts', '51.11 11.11 11.11 11.18'],
    ['marks from 1 to 9', '2 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 8'],
    ['a score', '0.5111111111111118'],
  ])('%s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false)
  })
})

describe('a card number that is not found, as docs/security.md says', () => {
  it.each([
    ['behind another digit', '15111111111111118'],
    ['behind a date without a gap', '202611225111111111111118'],
    ['between other digits', '751111111111111189'],
    ['in halves behind a quantity', '2 51111111 11111118'],
    ['with a word between its groups', '5111 and 1111 and 1111 and 1118'],
    ['with a comma and a space between its groups', '5111, 1111, 1111, 1118'],
    ['of 14 digits as a phone number', '+30569309025904'],
    ['in base64', 'NTExMTExMTExMTExMTExOA=='],
    ['as the hex of its characters', '35313131313131313131313131313138'],
    ['as a UUID', '51111111-1111-4118-8000-000000000000'],
    ['with letters that look like digits', '51lllll11ll1lll8'],
  ])('%s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false)
  })
})
