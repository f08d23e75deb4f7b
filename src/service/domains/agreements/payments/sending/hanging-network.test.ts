import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../platform/database/database.ts'
import { writeEvent } from '../../../events/write-event.ts'
import type { Agreement } from '../../agreement.ts'
import { cents } from '../testing/cents.ts'
import { openPaymentsBed } from '../testing/payments-bed.ts'
import type { PaymentsBed } from '../testing/payments-bed.ts'

let bed: PaymentsBed
let hanging: Agreement
beforeEach(async () => {
  bed = await openPaymentsBed(writeEvent, '2026-11-25T01:00:00Z')
  hanging = await bed.makeAgreement()
})
afterEach(() => bed.close())

const accept = (agreement: Agreement) =>
  bed.accept(agreement, { amount: cents('10.00'), reference: 'r', last_payment: false })

/** A process whose calls for one agreement hang until `release`; `calls`: how many these are. */
function startHanging(database: Database = bed.database) {
  let calls = 0
  let release: () => void = () => undefined
  const ended = new Promise<{ kind: 'unknown' }>((resolve) => {
    release = () => resolve({ kind: 'unknown' })
  })
  const { pay } = bed.network
  const service = bed.startProcess({
    database,
    network: {
      ...bed.network,
      pay(order, signal) {
        if (order.agreementId !== hanging.id) return pay(order, signal)
        calls += 1
        return ended
      },
    },
  })
  return { service, release, calls: () => calls }
}

describe('a merchant whose payments hang', () => {
  it('does not hold up another whose payment comes later', async () => {
    for (let count = 0; count < 300; count += 1) await accept(hanging)
    const { service, release } = startHanging()
    const sending = service.send()
    const small = await bed.makeAgreement({ merchantId: '6b0179918a1c5e0b3d2f4aff' })
    const { id } = await accept(small)
    await expect.poll(() => bed.store.find(id)).toMatchObject({ status: 'settled' })
    release()
    await sending
  })

  it('has what else it waits for looked for five times a second, no more', async () => {
    for (let count = 0; count < 80; count += 1) await accept(hanging)
    let looks = 0
    const { service, release, calls } = startHanging({
      ...bed.database,
      run(asked, values) {
        if (asked.name === 'find_payments_to_send') looks += 1
        return bed.database.run(asked, values)
      },
    })
    const sending = service.send()
    await expect.poll(calls).toBe(64)
    const [before, began] = [looks, performance.now()]
    await sleep(1500)
    const perSecond = ((looks - before) * 1000) / (performance.now() - began)
    expect(perSecond).toBeGreaterThan(0)
    expect(perSecond).toBeLessThan(7)
    release()
    await sending
    expect(calls()).toBe(80)
  })
})
