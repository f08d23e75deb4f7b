import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'

let adyen: ServiceAtAdyen
beforeAll(async () => {
  adyen = await createServiceAtAdyen()
})
afterAll(() => adyen.close())

describe('a captured charge whose capture fails later', () => {
  it('is pending again, with its reversal, and the capture is shown as failed', async () => {
    const { _id, transactions } = await adyen.hold()
    await adyen.calls.capture(_id, { amount: '60.00' })
    await adyen.tell()
    expect((await adyen.calls.read(_id)).status).toBe('complete')
    adyen.double.ledger.failLater(transactions[0]?._id ?? '', 'captures')
    await adyen.tell()
    const charge = await adyen.calls.read(_id)
    expect(charge).toMatchObject({ status: 'pending', capture: false, __v: 2 })
    expect(charge.transactions).toMatchObject([
      { type: 'sale', status: 'pending' },
      { type: 'capture', status: 'failed', amount: 60, error_code: 'transaction_declined' },
      {
        type: 'reversal',
        status: 'complete',
        amount: 60,
        origin: 'gateway',
        reverses: charge.transactions[1]?._id,
      },
    ])
  })
})
