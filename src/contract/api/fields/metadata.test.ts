import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { hasRoom, merged, Metadata, MetadataChange, MetadataFilter } from './metadata.ts'

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${String(n)}`, 'a']))
const faultOf = (schema: v.GenericSchema, given: unknown) => v.safeParse(schema, given).issues?.[0]?.message

describe('metadata', () => {
  it('has texts by names, of which those that are empty or null count as left out', () => {
    expect(v.parse(Metadata, { order_id: ' A1 ', basket: '', note: null })).toEqual({ order_id: 'A1' })
  })

  it('may have 50 texts of 500 characters, by names of 40', () => {
    expect(v.parse(Metadata, many(50))).toEqual(many(50))
    for (const character of ['n', '字', '😀']) {
      const [name, text] = [character.repeat(40), character.repeat(500)]
      expect(v.parse(Metadata, { [name]: text })).toEqual({ [name]: text })
      expect(v.safeParse(Metadata, { [name + character]: text }).success).toBe(false)
      expect(v.safeParse(Metadata, { [name]: text + character }).success).toBe(false)
    }
  })

  it.each([
    ['51 texts', many(51), /50 texts at most/],
    ['a longer name', { ['n'.repeat(41)]: 'a' }, /a name may have 40 characters/],
    ['a longer text', { a: 't'.repeat(501) }, /at most 500 characters/],
    ['a name of nothing', { '': 'a' }, /a name must not be empty/],
    ['a name that the database can’t keep', { 'a\0': 'a' }, /well-formed/],
    ['half a character', { a: '\ud800' }, /well-formed/],
    ['a list', ['a'], /an object of texts/],
    ['a text', 'a', /an object of texts/],
    ['a name that every object has', { constructor: 'a' }, /any names but/],
  ])('is refused with %s', (_, given, words) => {
    expect(faultOf(Metadata, given)).toMatch(words)
  })

  it.each([[7], [true], [{}], [['a']]])('is refused with %j in the place of a text', (given) => {
    expect(v.safeParse(Metadata, { a: given }).success).toBe(false)
  })
})

describe('a change of metadata', () => {
  it('sets what has a text, takes away what is empty or null, and leaves the rest', () => {
    const change = v.parse(MetadataChange, { b: '2', c: '', d: null })
    expect(merged({ a: '1', b: '1', c: '1', d: '1' }, change)).toEqual({ a: '1', b: '2' })
  })

  it('may replace 50 texts by 50 others', () => {
    const gone = Object.fromEntries(Object.keys(many(50)).map((name) => [name, null]))
    const others = Object.fromEntries(Object.keys(many(50)).map((name) => [`other-${name}`, 'b']))
    const after = merged(many(50), v.parse(MetadataChange, { ...gone, ...others }))
    expect([hasRoom(after), after]).toEqual([true, others])
    expect(hasRoom(merged(after, { one: 'more' }))).toBe(false)
  })
})

it.each([
  ['six texts', many(6), /5 texts at most/],
  ['an empty text', { order_id: '' }, /must have a text/],
])('a list can’t be filtered by %s of metadata', (_, given, words) => {
  expect(faultOf(MetadataFilter, given)).toMatch(words)
})
