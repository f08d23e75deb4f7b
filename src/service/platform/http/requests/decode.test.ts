import * as v from 'valibot'
import { expect, it } from 'vitest'
import { onlyKnown } from '../../../../contract/api/fields/only-known.ts'
import { ServiceError } from '../../errors.ts'
import { decode, withoutEmptyFields } from './decode.ts'

const entries = { name: v.string(), count: v.optional(v.number()) }

function faultsOf(schema: v.GenericSchema, input: unknown): ServiceError['details'] {
  try {
    decode(schema, input)
  } catch (error) {
    if (error instanceof ServiceError) return error.details
    throw error
  }
  return []
}

it.each([
  ['what is missing', v.object(entries), {}, 'name', 'is required'],
  ['what is of another kind, without its value', v.object(entries), { name: 4111 }, 'name', 'must be text'],
  [
    'what is too long',
    v.object({ name: v.pipe(v.string(), v.maxLength(3)) }),
    { name: 'abcd' },
    'name',
    'must be at most 3 characters',
  ],
  [
    'a text in place of an object',
    v.object({ debtor: v.object({}) }),
    { debtor: 'x' },
    'debtor',
    'must be an object',
  ],
  [
    'nothing in place of an object',
    v.strictObject(entries, onlyKnown('name')),
    null,
    '',
    'must be an object',
  ],
  [
    'a text in place of a list',
    v.object({ all: v.array(v.string()) }),
    { all: 'x' },
    'all',
    'must be an array',
  ],
  ['a name too many', v.strictObject(entries), { name: 'a', more: 1 }, 'more', 'is not known here'],
  [
    'a name too many, and those that are known',
    v.strictObject(entries, onlyKnown('name and count')),
    { name: 'a', more: 1 },
    'more',
    'is not known here; send only name and count',
  ],
  ['a list in place of an object', v.object({}), [], '', 'must be an object'],
])('names %s', (_, schema, input, path, message) => {
  expect(faultsOf(schema, input)).toEqual([{ path, message }])
})

const Body = v.strictObject({
  token: v.string(),
  reference: v.optional(v.string()),
  currency: v.optional(v.string(), 'AUD'),
  amount: v.exactOptional(v.string()),
  customer: v.optional(
    v.pipe(v.strictObject({ email: v.optional(v.string()), name: v.string() }), v.readonly()),
  ),
})

it.each([
  ['an optional field that is empty', { token: 't', reference: '' }, { token: 't' }],
  ['an optional field that is null', { token: 't', reference: null, currency: null }, { token: 't' }],
  ['those inside another', { customer: { email: null, name: '' } }, { customer: { name: '' } }],
])('leaves out %s', (_, body, left) => {
  expect(withoutEmptyFields(Body, body)).toEqual(left)
})

it.each([
  ['a field that is required', { token: '' }],
  ['a field where an empty value may be a lost one', { amount: '' }],
  ['a field that is not known', { refrence: '', constructor: null }],
  ['what is not empty', { token: ' ', reference: 0, currency: false }],
  ['what is no object', null],
  ['a list', ['']],
])('leaves %s to the schema', (_, body) => {
  expect(withoutEmptyFields(Body, body)).toEqual(body)
})

it('tells one fault of each field', () => {
  const word = v.pipe(v.string(), v.minLength(2, 'is too short'), v.regex(/^[a-z]+$/, 'must be letters'))
  expect(faultsOf(v.object({ one: word, other: word }), { one: '1', other: '22' })).toEqual([
    { path: 'one', message: 'is too short' },
    { path: 'other', message: 'must be letters' },
  ])
})
