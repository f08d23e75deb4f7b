import { describe, expect, it } from 'vitest'
import { bytea, jsonb, nullable, text } from './sql-types.ts'
import { statement } from './statement.ts'

const both = { charge_id: text, merchant_id: text }

describe('a statement', () => {
  it('numbers its values in the order of their first place, each once, and leaves casts', () => {
    const { text: sql, names } = statement({
      name: 't',
      values: both,
      columns: {},
      sql: 'SELECT :merchant_id::text, :charge_id, now()::timestamptz, :merchant_id',
    })
    expect(sql).toBe('SELECT $1::text, $2, now()::timestamptz, $1')
    expect(names).toEqual(['merchant_id', 'charge_id'])
  })

  it('gives the driver its values in that order, whatever order they come in', () => {
    const { toParameters } = statement({
      name: 't',
      values: both,
      columns: {},
      sql: ':merchant_id :charge_id',
    })
    expect(toParameters({ charge_id: 'c', merchant_id: 'm' })).toEqual(['m', 'c'])
  })

  it('makes objects into JSON, and null into null', () => {
    const { toParameters } = statement({
      name: 't',
      values: { facts: jsonb(), meta: nullable(jsonb()), hash: bytea },
      columns: {},
      sql: ':facts :meta :hash',
    })
    const hash = Buffer.from('h')
    expect(toParameters({ facts: { a: [1] }, meta: null, hash })).toEqual(['{"a":[1]}', null, hash])
  })

  it('is refused with a name that it does not declare, or does not use', () => {
    const declare = (sql: string) => () => statement({ name: 't_odd', values: both, columns: {}, sql })
    expect(declare(':charge_id :merchant_id :gateway_id')).toThrow(
      'statement t_odd: :gateway_id is not declared',
    )
    expect(declare(':charge_id')).toThrow('statement t_odd does not use merchant_id')
    expect(declare(':charge_id :merchant_id :toString')).toThrow(':toString is not declared')
  })
})

describe('the compiler', () => {
  const { toParameters } = statement({
    name: 't',
    values: { charge_id: text, hash: bytea },
    columns: {},
    sql: ':charge_id :hash',
  })
  it('refuses values that are swapped, missing or too many', () => {
    const hash = Buffer.from('h')
    // @ts-expect-error: each is of the other's type
    toParameters({ charge_id: hash, hash: 'c' })
    // @ts-expect-error: one is missing
    toParameters({ charge_id: 'c' })
    // @ts-expect-error: one is too many
    expect(toParameters({ charge_id: 'c', hash, merchant_id: 'm' })).toEqual(['c', hash])
  })
})
