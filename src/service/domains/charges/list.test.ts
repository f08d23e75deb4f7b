import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

describe('a list of charges', () => {
  it('comes newest first, a page at a time, of the own merchant only', async () => {
    const owner = await service.makeMerchant()
    const made: string[] = []
    for (let i = 0; i < 5; i += 1) made.unshift((await service.authorise({}, owner))._id)
    const Page = v.array(ChargeResource)
    const seen: string[] = []
    let cursor: string | null | undefined = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor ?? ''}`
      const answer = await service.call({
        url: `/v1/charges?limit=2${query}`,
        headers: { 'x-user-secret-key': owner.secretKey },
      })
      seen.push(...v.parse(Page, answer.body.resource.data).map(({ _id }) => _id))
      cursor = answer.body.resource.next
    }
    expect(seen).toEqual(made)
  })

  it('holds what passes every filter', async () => {
    const owner = await service.makeMerchant()
    const [first, second, third] = [
      await service.authorise({ reference: 'red' }, owner),
      await service.authorise({ reference: 'red' }, owner),
      await service.authorise({ reference: 'blue' }, owner),
    ]
    const headers = { 'x-user-secret-key': owner.secretKey }
    await service.call({ method: 'DELETE', url: `/v1/charges/${second._id}/capture`, headers })
    const listed = async (query: string) => {
      const { body } = await service.call({ url: `/v1/charges?${query}`, headers })
      return v.parse(v.array(ChargeResource), body.resource.data).map(({ _id }) => _id)
    }
    expect(await listed('reference=red')).toEqual([second._id, first._id])
    expect(await listed('reference=red&status=pending')).toEqual([first._id])
    expect(await listed(`created_at.from=${third.created_at}`)).toContain(third._id)
    expect(await listed(`created_at.to=${first.created_at}`)).toEqual([])
    expect(await listed('skip=1&limit=1')).toEqual([second._id])
    expect(await listed('status=refunded')).toEqual([])
  })

  it.each([
    ['status=done'],
    ['created_at.from=yesterday'],
    ['created_at.to=2026-02-31'],
    ['skip=-1'],
    ['Status=pending'],
    ['limit=0'],
    ['limit=101'],
    ['limit=x'],
    ['cursor=x'],
  ])('?%s: 400', async (query) => {
    expect((await service.call({ url: `/v1/charges?${query}`, headers: calls.secret() })).status).toBe(400)
  })
})
