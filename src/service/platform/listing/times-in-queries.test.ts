import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { dayOrTime } from './page-query.ts'

const TEN = '2026-11-21T00:00:00.000Z'

it.each([
  ['as answers have it', '2026-11-21T00:00:00.000Z'],
  ['in lower case', '2026-11-21t00:00:00z'],
  ['with a zone', '2026-11-21T10:00:00+10:00'],
  ['with a zone whose + arrived as a space', '2026-11-21T10:00:00 10:00'],
  ['with a zone without a colon', '2026-11-21T10:00:00+1000'],
  ['with one whose + arrived as a space', '2026-11-21T10:00:00.000 1000'],
  ['with a zone of hours', '2026-11-20T14:00:00-10'],
  ['without seconds', '2026-11-21T00:00Z'],
  ['without seconds, whose + arrived as a space', '2026-11-21T10:00 10:00'],
  ['with a fraction of nine digits', '2026-11-21T00:00:00.000999999Z'],
  ['with a comma before the fraction', '2026-11-21T00:00:00,000Z'],
  ['with a space in the middle', '2026-11-21 00:00:00Z'],
  ['at the end of the day before', '2026-11-20T24:00:00Z'],
  ['a day alone', '2026-11-21'],
])('a time in a query is read %s', (_, text) => {
  expect(dayOrTime(text)?.toISOString()).toBe(TEN)
})

it.each([
  ['without its zone', '2026-11-21T10:00:00'],
  ['without its zone, with a space in the middle', '2026-11-21 10:00'],
  ['of a day that there is not', '2026-02-30T10:00:00Z'],
  ['a day that there is not', '2026-02-30'],
  ['of an hour that there is not', '2026-11-21T25:00:00Z'],
  ['in a leap second', '2016-12-31T23:59:60Z'],
  ['of a zone that there is not', '2026-11-21T10:00:00+25:00'],
  ['as a day of a week', '2026-W47-6'],
  ['as seconds', '1795248000'],
  ['without separators', '20261121T100000Z'],
  ['of a year of two digits', '26-11-21'],
  ['in words', 'yesterday'],
])('a time is refused %s', (_, text) => {
  expect(dayOrTime(text)).toBeNull()
})

describe('each route whose query takes times', () => {
  let service: TestService
  beforeAll(async () => {
    service = await createTestService()
  })
  afterAll(() => service.close())

  it('takes them in every spelling, and says what is wrong with others', async () => {
    const token = await service.accessToken()
    const headers = { 'x-user-secret-key': service.merchant.secretKey, authorization: `Bearer ${token}` }
    const routes = service.routes.filter(({ operation }) => {
      const schema = operation?.query?.schema
      return (
        schema !== undefined && 'entries' in schema && 'created_at.from' in v.parse(Entries, schema).entries
      )
    })
    expect(routes.length).toBeGreaterThan(4)
    for (const { path } of routes) {
      const ask = async (query: string) => {
        const url = `${path.replace(/\{\w+\}/g, '0'.repeat(24))}?type=${typeOf(path)}&${query}`
        const { status, body } = await service.call({ url: url.replace('type=&', ''), headers })
        return [path, status === 404 ? 200 : status, body.error?.details?.[0]?.message]
      }
      expect(await ask('created_at.from=2026-11-21t10:00:00+10:00')).toEqual([path, 200, undefined])
      expect(await ask('created_at.to=2026-11-21')).toEqual([path, 200, undefined])
      expect(await ask('created_at.to=2026-11-21T10:00:00')).toEqual([
        path,
        400,
        'must be a day, or a time with its zone, such as 2026-11-21T10:00:00.000Z',
      ])
    }
  })
})

const Entries = v.looseObject({ entries: v.record(v.string(), v.unknown()) })
const typeOf = (path: string) => (path.includes('templates') ? 'configuration' : '')
