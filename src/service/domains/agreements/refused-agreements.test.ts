import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import {
  agreementCalls,
  countAgreements,
  debtorOfAccount,
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

const terms = (change: object) => ({ payment_terms: { ...request.payment_terms, ...change } })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const day = (days: number) => inDays(days).slice(0, 10)

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
    ['a debtor with both', { debtor: { ...debtor(), ...debtorOfAccount('1') } }, 'debtor'],
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
    [
      'a maximum number of payments for a oneoff',
      { type: 'oneoff', max_number_of_payments: 3 },
      'max_number_of_payments',
    ],
    ['a maximum number of payments of one', { max_number_of_payments: 1 }, 'max_number_of_payments'],
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

  it.each<[string, object]>([
    ['description', { description: 'Power\nTotal: 1.00' }],
    ['short_description', { short_description: '\u202Elight' }],
    ['debtor.name', { debtor: { ...debtor(), name: 'Grace\u2066Hopper' } }],
    ['debtor.pay_id.value', { debtor: { ...debtor(), pay_id: { type: 'ORGANISATION', value: '\u200B' } } }],
    ['creditor.name', { creditor: { ...request.creditor, name: 'Acme\u0007Power' } }],
    ['reference', { reference: 'customer\u20281' }],
  ])('refuses a %s that the payer would read otherwise', async (place, change) => {
    const { status, body } = await calls.create(change, path)
    expect([status, body.error?.details?.map((one) => one.path)]).toEqual([400, [place]])
  })

  it('takes names that are written from right to left', async () => {
    const { status } = await calls.create({ debtor: { ...debtor(), name: 'محمد عبد الله' } }, path)
    expect(status).toBeLessThan(300)
  })

  it.each<[string, object, number, string]>([
    ['a start that is past', { start_date: '2020-01-01' }, 422, 'outside_terms'],
    ['an end before its start', { start_date: day(9), end_date: day(8) }, 422, 'outside_terms'],
    ...(['first_payment', 'last_payment'] as const).map((name): [string, object, number, string] => [
      `a ${name} above the maximum`,
      {
        type: 'recurring',
        end_date: day(30),
        payment_terms: {
          amount_type: 'variable',
          maximum_amount: '10.00',
          frequency: 'monthly',
          [name]: { date: day(29), amount: '10.01' },
        },
      },
      422,
      'outside_terms',
    ]),
    ['an answer that is past', { response_required_by: inDays(-1) }, 422, 'outside_terms'],
    ['an answer in more than 5 days', { response_required_by: inDays(5.1) }, 422, 'outside_terms'],
    ['a PayID that nobody has', { debtor: debtor('unknown@sandbox.example') }, 422, 'debtor_not_found'],
    ['an account that is not there', { debtor: debtorOfAccount('100000004') }, 422, 'debtor_not_found'],
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
