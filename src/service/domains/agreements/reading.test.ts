import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { agreementCalls, agreementOf } from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('reading', () => {
  it('answers 404 for another merchant, and for what is not there', async () => {
    const { _id: id } = agreementOf(await calls.create())
    const other = await service.makeMerchant()
    const stranger = await agreementCalls(service, await service.accessToken({ merchant: other }))
    const cancel = { action: 'cancel', reason_code: 'dispute' }
    const answers = [
      await stranger.get(id),
      await stranger.amend(id, { reference: 'mine' }),
      await stranger.changeStatus(id, cancel),
      await calls.get('0'.repeat(24)),
    ]
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
      Array(4).fill([404, 'not_found']),
    )
    expect((await stranger.list()).body.resource.data).toEqual([])
  })

  it('answers 400 for an id that is none', async () => {
    expect((await calls.get('x')).status).toBe(400)
  })
})

describe('the list', () => {
  it('shows agreements as they are when they are read, newest first, without their history', async () => {
    const merchant = await service.makeMerchant()
    const mine = await agreementCalls(service, await service.accessToken({ merchant }))
    const { _id: first } = await mine.createActive({ reference: 'first', metadata: { plan: 'gold' } })
    await mine.changeStatus(first, { action: 'suspend', reason_code: 'dispute', reason: 'A broken meter' })
    await setTimeout(2)
    const { _id: second } = await mine.createActive({ type: 'oneoff' })
    await mine.amend(second, { end_date: inDays(20).slice(0, 10) })
    const { data } = (await mine.list()).body.resource
    const read = await Promise.all(
      [second, first].map(async (id) => ({ ...agreementOf(await mine.get(id)), history: undefined })),
    )
    expect(v.parse(v.array(AgreementResource), data)).toEqual(read)
  })

  it('is narrowed down by status, type, reference and time, a page at a time', async () => {
    const mine = await agreementCalls(
      service,
      await service.accessToken({ merchant: await service.makeMerchant() }),
    )
    const ids = []
    for (const change of [{}, { type: 'oneoff' }, { reference: 'x' }])
      ids.push(agreementOf(await mine.create(change))._id)
    const [first, second, third] = ids
    await mine.changeStatus(first ?? '', { action: 'cancel', reason_code: 'dispute' })
    const listed = async (query: string) => {
      const { data } = (await mine.list(query)).body.resource
      return Array.isArray(data) ? data.map((one: { _id: string }) => one._id) : []
    }
    expect((await listed('')).sort()).toEqual([...ids].sort())
    expect(await listed('?status=cancelled')).toEqual([first])
    expect(await listed('?type=oneoff')).toEqual([second])
    expect(await listed('?reference=x&status=created&type=adhoc')).toEqual([third])
    expect(await listed(`?created_at.from=${inDays(1)}`)).toEqual([])
    const page = (await mine.list('?limit=2')).body.resource
    expect(page.data).toHaveLength(2)
    expect((await mine.list(`?limit=2&cursor=${page.next ?? ''}`)).body.resource).toMatchObject({
      next: null,
    })
    expect((await mine.list('?colour=red')).status).toBe(400)
    expect((await mine.list('?status=dead')).status).toBe(400)
  })
})
