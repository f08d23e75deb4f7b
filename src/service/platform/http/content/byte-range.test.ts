import { expect, it } from 'vitest'
import { byteRangeOf } from './byte-range.ts'

it.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-4', { first: 6, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=0-99', { first: 0, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=99-100', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=0-1,3-4', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['lines=0-3', null],
  ['', null],
  [undefined, null],
])('Range %j of ten bytes is %j', (header, range) => expect(byteRangeOf(header, 10)).toEqual(range))

it('of nothing, nothing can be had', () => expect(byteRangeOf('bytes=-1', 0)).toBe('unsatisfiable'))
