import * as v from 'valibot'
import { expect, it } from 'vitest'
import { withoutEmptyFields } from './without-empty-fields.ts'

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
