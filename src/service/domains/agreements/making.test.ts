import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { agreementCalls, agreementOf, debtor, request } from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const countRows = testStatement<{ count: number }>(
  't_count_agreements',
  'SELECT count(*) AS count FROM agreements',
)
const count = async () => (await service.database.run(countRows, []))[0]?.count

const terms = (change: object) => ({ payment_terms: { ...request.payment_terms, ...change } })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const day = (days: number) => inDays(days).slice(0, 10)
const account = (accountNumber: string) => ({
  name: 'Grace Hopper',
  type: 'person',
  account: { bsb: '802985', account_number: accountNumber },
})

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

describe.each(['/agreements', '/agreements/validate'])('POST %s', (path) => {
  it.each<[string, object, string]>([
    ['no description', { description: undefined }, 'description'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown type', { type: 'weekly' }, 'type'],
    ['an unknown purpose', { purpose: 'fun' }, 'purpose'],
    ['a day that the calendar lacks', { start_date: '2026-02-31' }, 'start_date'],
    ['a time on such a day', { response_required_by: '2026-02-30T00:00:00Z' }, 'response_required_by'],
    ['a list in place of metadata', { metadata: ['gold'] }, 'metadata'],
    ['a debtor without an account', { debtor: { name: 'G', type: 'person' } }, 'debtor'],
    ['a debtor with both', { debtor: { ...debtor(), ...account('1') } }, 'debtor'],
    [
      'a PayID of another form',
      { debtor: { ...debtor(), pay_id: { type: 'ABN', value: '1' } } },
      'debtor.pay_id.value',
    ],
    [
      'a BSB of five digits',
      { creditor: { name: 'A', account: { bsb: '80298', account_number: '1' } } },
      'creditor.account.bsb',
    ],
    ['fixed without an amount', terms({ amount: undefined }), 'payment_terms.amount'],
    ['fixed with a maximum', terms({ maximum_amount: '1.00' }), 'payment_terms.maximum_amount'],
    [
      'variable without a maximum',
      { payment_terms: { amount_type: 'variable' } },
      'payment_terms.maximum_amount',
    ],
    ['adhoc with a frequency', terms({ frequency: 'daily' }), 'payment_terms'],
    ['recurring without one', { type: 'recurring' }, 'payment_terms'],
    [
      'a point outside its period',
      { type: 'recurring', ...terms({ frequency: 'weekly', point_in_period: 8 }) },
      'payment_terms.point_in_period',
    ],
    [
      'a point beside a count',
      { type: 'recurring', ...terms({ frequency: 'weekly', point_in_period: 1, count_per_period: 2 }) },
      'payment_terms.count_per_period',
    ],
    ['a most number for a oneoff', { type: 'oneoff', max_number_of_payments: 3 }, 'max_number_of_payments'],
    ['a most number of one', { max_number_of_payments: 1 }, 'max_number_of_payments'],
    [
      'a last payment without an end',
      {
        type: 'recurring',
        ...terms({ frequency: 'weekly', last_payment: { date: day(20), amount: '5.00' } }),
      },
      'end_date',
    ],
    ['a reference that is too long', { reference: 'r'.repeat(65) }, 'reference'],
    ['a time that is none', { response_required_by: 'soon' }, 'response_required_by'],
  ])('refuses %s with 400', async (_, change, place) => {
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.code]).toEqual([400, 'validation_error'])
    expect(body.error?.details?.map((one) => one.path)).toContain(place)
  })

  it.each<[string, object, number, string]>([
    ['a start that is past', { start_date: '2020-01-01' }, 422, 'outside_terms'],
    ['an end before its start', { start_date: day(9), end_date: day(8) }, 422, 'outside_terms'],
    ['an answer that is past', { response_required_by: inDays(-1) }, 422, 'outside_terms'],
    ['an answer in more than 5 days', { response_required_by: inDays(5.1) }, 422, 'outside_terms'],
    ['a PayID that nobody has', { debtor: debtor('unknown@sandbox.example') }, 422, 'debtor_not_found'],
    ['an account that is not there', { debtor: account('100000004') }, 422, 'debtor_not_found'],
    ['a network out of reach', { debtor: debtor('unreachable@sandbox.example') }, 503, 'network_unavailable'],
  ])('refuses %s', async (_, change, expected, code) => {
    const before = await count()
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.code, await count()]).toEqual([expected, code, before])
  })

  it('asks for the scope agreements:write', async () => {
    const reader = await agreementCalls(service, await service.accessToken({ scopes: ['agreements:read'] }))
    const { status, body } = await reader.create({}, path)
    expect([status, body.error?.code]).toEqual([403, 'insufficient_scope'])
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
    const { status, body } = await calls.create({ debtor: account('100000001') }, '/agreements/validate')
    expect([status, body.resource]).toMatchObject([
      200,
      { type: 'agreement_validation', data: { valid: true, resolved_name: null } },
    ])
    expect(await count()).toBe(before)
  })
})
