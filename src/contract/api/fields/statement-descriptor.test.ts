import * as v from 'valibot'
import { expect, it } from 'vitest'
import { StatementDescriptor } from './statement-descriptor.ts'

it.each(['Acme Shop', 'ACME.COM/1042-7', 'a_b+c?', '12345 A', 'x'.repeat(22)])(
  'a statement may say %j',
  (given) => {
    expect(v.parse(StatementDescriptor, given)).toBe(given)
  },
)

const SIGNS = ['<', '>', '\\', "'", '"', '*', '&', '$']

it.each([
  'Acme',
  'x'.repeat(23),
  '12345',
  '  Acme  ',
  'Кафе Пушкин',
  'Café Central',
  'Acme\nShop',
  ...SIGNS.map((sign) => `Acme ${sign} Shop`),
])('a statement can’t say %j', (given) => {
  expect(v.safeParse(StatementDescriptor, given).issues?.[0]?.message).toContain('5 to 22 Latin letters')
})
