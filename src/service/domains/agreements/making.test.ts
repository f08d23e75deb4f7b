import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import {
  agreementCalls,
  countAgreements,
  debtorOfAccount,
  agreementOf,
  debtor,
  request,
} from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const count = () => countAgreements(service)

describe('a new agreement', () => {
  it('is created, in version 0, with an ETag, and accounts masked', async () => {
    const { status, headers, body } = await calls.create({ reference: 'a', metadata: { plan: 'gold' } })
    expect([status, headers.etag, body.resource.type]).toEqual([201, '"0"', 'agreement'])
    expect(agreementOf({ status, headers, body })).toMatchObject({
      status: 'created',
      version: 0,
      end_date: null,
      debtor: { name: 'Grace Hopper', pay_id: { type: 'EMAIL', value: 'g••••@example.com' } },
      creditor: { account: { bsb: '802985', account_number: '••••••789' } },
      payment_terms: { amount: 10, maximum_amount: null },
      reference: 'a',
      metadata: { plan: 'gold' },
      pending_amendment: null,
      next_collection_date: null,
    })
  })

  it('shows its history when it is read by its id', async () => {
    const { _id: id } = agreementOf(await calls.create())
    const { history } = agreementOf(await calls.get(id))
    expect(history).toMatchObject([{ type: 'created', status: 'created', version: 0, by: 'creditor' }])
  })

  it('is made once under an Idempotency-Key, and answered with the same ETag', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const ask = () => service.call({ method: 'POST', url: '/agreements', headers, payload: request })
    const first = await ask()
    const second = await ask()
    expect(second.body).toEqual(first.body)
    expect([second.headers.etag, second.headers['idempotent-replayed']]).toEqual(['"0"', 'true'])
  })

  it('leaves no hash by which the account numbers of its body could be tried out', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const { status } = await service.call({ method: 'POST', url: '/agreements', headers, payload: request })
    expect(status).toBe(201)
    const kept = testStatement<{ request_hash: string }>(
      't_kept_request_hashes',
      'SELECT request_hash FROM idempotent_requests',
    )
    const hashes = (await service.database.run(kept, [])).map((row) => row.request_hash)
    expect(hashes.length).toBeGreaterThan(0)
    const content = JSON.stringify(['/agreements', request])
    expect(hashes).not.toContain(createHash('sha256').update(content).digest('base64url'))
  })

  it('may come again under its Idempotency-Key after the network was out of reach: nothing was kept', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const payload = { ...request, debtor: debtor('unreachable@sandbox.example') }
    const ask = () => service.call({ method: 'POST', url: '/agreements', headers, payload })
    for (const { status, body } of [await ask(), await ask()])
      expect([status, body.error?.code]).toEqual([503, 'network_unavailable'])
  })
})

describe('validating', () => {
  it.each(["o'brien@example.com", 'grace+bills@mail.example.co.uk'])(
    'takes %s: people have such addresses',
    async (value) => {
      const asked = { ...debtor(), pay_id: { type: 'EMAIL', value } }
      expect((await calls.create({ debtor: asked }, '/agreements/validate')).status).toBe(200)
    },
  )

  it('answers what would be taken, and keeps nothing', async () => {
    const before = await count()
    const { status, body } = await calls.create(
      { debtor: debtorOfAccount('100000001') },
      '/agreements/validate',
    )
    expect([status, body.resource]).toMatchObject([
      200,
      { type: 'agreement_validation', data: { valid: true, resolved_name: null } },
    ])
    expect(await count()).toBe(before)
  })
})
