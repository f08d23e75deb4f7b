import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextState } from '../../../platform/state-machine.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { paymentMoves } from './payment.ts'
import type { PaymentAction, PaymentState } from './payment.ts'
import { writeEvent } from '../../events/write-event.ts'
import { cents } from './testing/cents.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

let bed: PaymentsBed
beforeAll(async () => {
  bed = await openPaymentsBed(writeEvent, '2026-11-25T01:00:00Z')
})
afterAll(() => bed.close())

const NOW = new Date('2026-11-25T02:00:00Z')
const setState = testStatement('t_set_state', 'UPDATE agreement_payments SET status = $2 WHERE id = $1')

const STATES = ['received', 'processing', 'settled', 'failed', 'under_investigation'] as const
const record = (paymentId: string, status: 'settled' | 'failed' | 'under_investigation') =>
  bed.sendingStore.record(
    bed.database,
    [{ paymentId, status, failure: null, reference: 'n', nextAt: null }],
    NOW,
  )
const ACTIONS: Readonly<Record<PaymentAction, (id: string) => Promise<unknown[]>>> = {
  send: (id) => bed.sendingStore.markProcessing([id], NOW),
  settle: (id) => record(id, 'settled'),
  fail: (id) => record(id, 'failed'),
  investigate: (id) => record(id, 'under_investigation'),
}

describe.each(STATES)('in the database a payment that is %s', (state: PaymentState) => {
  it.each(['send', 'settle', 'fail', 'investigate'] as const)(
    'goes by %s where the table says, and leaves an event then alone',
    async (action) => {
      const agreement = await bed.makeAgreement()
      const request = { amount: cents('10.00'), reference: 'r', last_payment: false }
      const { id } = await bed.accept(agreement, request)
      await bed.database.run(setState, [id, state])
      const moved = await ACTIONS[action](id)
      const next = nextState(paymentMoves, state, action)
      expect((await bed.store.find(id))?.status).toBe(next ?? state)
      expect(moved).toHaveLength(next === null ? 0 : 1)
      expect(await bed.eventsOf(id)).toHaveLength(next === null ? 1 : 2)
    },
  )
})
