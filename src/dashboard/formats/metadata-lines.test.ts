import { expect, it } from 'vitest'
import { fitsLines, linesOf, metadataChange, metadataOf } from './metadata-lines.ts'

it.each([
  ['', {}],
  ['branch: north', { branch: 'north' }],
  ['branch: north\n\n  link : https://acme.example/7  ', { branch: 'north', link: 'https://acme.example/7' }],
  ['note:', { note: '' }],
])('reads %j', (lines, metadata) => {
  expect(metadataOf(lines)).toEqual(metadata)
})

it.each(['branch', ': north', 'branch: north\nbranch: south'])('refuses %j', (lines) => {
  expect(metadataOf(lines)).toBeNull()
})

it('reads what it has written', () => {
  const metadata = { branch: 'north', link: 'https://acme.example/7' }
  expect(metadataOf(linesOf(metadata))).toEqual(metadata)
})

it.each([
  [{ branch: 'north: 7' }, true],
  [{ 'branch: north': '7' }, false],
  [{ note: 'one\ntwo' }, false],
])('tells whether %j can be written in lines', (metadata, fits) => {
  expect(fitsLines(metadata)).toBe(fits)
})

it.each([
  [{ a: '1', b: '2' }, { a: '1', b: '2' }, null],
  [
    { a: '1', b: '2' },
    { a: '9', c: '3' },
    { a: '9', b: null, c: '3' },
  ],
])('from %j to %j a change says what differs', (before, after, change) => {
  expect(metadataChange(before, after)).toEqual(change)
})
