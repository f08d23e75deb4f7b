import { expect, it } from 'vitest'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'
import { toCharges } from './charge-store.ts'

const charge = madeCharge()
const attempt = madeAttempt()
const rowOf = (id: string, attemptId: string): Parameters<typeof toCharges>[0][number] => ({
  id,
  merchant_id: charge.merchantId,
  gateway_id: charge.gatewayId,
  token_hash: charge.tokenHash,
  status: charge.status,
  pre_auth: charge.preAuth,
  amount: cents('10.00'),
  currency: charge.currency,
  reference: null,
  description: null,
  statement_descriptor: null,
  metadata: {},
  edits: [],
  dispute_sums: [],
  customer: {},
  payment_source: charge.paymentSource,
  source_ip: null,
  is_hold_over: false,
  age_ms: 0,
  open_attempt_id: null,
  version: 0,
  created_at: charge.createdAt,
  updated_at: charge.updatedAt,
  attempt_id: attemptId,
  type: attempt.type,
  reason: null,
  reverses: null,
  attempt_reference: null,
  attempt_amount: attempt.amount,
  outcome: attempt.outcome,
  decline_reason: null,
  gateway_code: null,
  gateway_description: null,
  external_id: null,
  authentication: null,
  external_reference: null,
  user_id: null,
  attempt_source_ip: null,
  attempt_created_at: attempt.createdAt,
  settled_at: attempt.settledAt,
})

it('charges and their attempts stand in the order of their rows', () => {
  const rows = [rowOf('c2', 'a3'), rowOf('c2', 'a1'), rowOf('c1', 'a2')]
  const found = toCharges(rows).map(({ id, attempts }) => [id, attempts.map((one) => one.id)])
  expect(found).toEqual([
    ['c2', ['a3', 'a1']],
    ['c1', ['a2']],
  ])
})

it('a row takes no longer the more attempts its charge has', () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => rowOf('c1', `a${String(i)}`))
  const began = performance.now()
  expect(toCharges(rows)[0]?.attempts).toHaveLength(30_000)
  expect(performance.now() - began).toBeLessThan(1000)
})
