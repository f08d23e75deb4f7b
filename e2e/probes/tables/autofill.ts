import type { FillProbe } from './probe.ts'

/** Each is filled in in each of the ways of `FILLS`. */
export const FILLED: readonly FillProbe[] = [
  ['card_number', '5111111111111118', '5111 1111 1111 1118'],
  ['card_number', '5111 1111 1111 1118', '5111 1111 1111 1118'],
  ['card_number', '5111-1111-1111-1118', '5111 1111 1111 1118'],
  ['card_number', '371449635398431', '3714 496353 98431'],
  ['expiry', '01/39', '01 / 39'],
  ['expiry', '01/2039', '01 / 39'],
  ['expiry', '1/39', '01 / 39'],
  ['expiry', '2039-01', '01 / 39'],
  ['expiry', '0139', '01 / 39'],
  ['expiry', '01-2039', '01 / 39'],
  ['card_ccv', '100', '100'],
  ['card_name', 'Grace Hopper', 'Grace Hopper'],
]

/** Ways of filling in, by the events that they send after setting the value. */
export const FILLS: Readonly<Record<string, readonly string[]>> = {
  'as browsers do': ['input', 'change'],
  'as if by keys': ['keydown', 'input', 'keyup', 'change', 'blur'],
  'with one event': ['change'],
  'without a word': [],
}
