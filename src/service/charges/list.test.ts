import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargeResource } from '../../contract/charge-resource.ts'
import { chargeCalls } from '../testing/charge-calls.ts'
import type { ChargeCalls } from '../testing/charge-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'

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

  it.each([['limit=0'], ['limit=101'], ['limit=x'], ['cursor=x']])('?%s: 400', async (query) => {
    expect((await service.call({ url: `/v1/charges?${query}`, headers: calls.secret() })).status).toBe(400)
  })
})
