import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testStatement } from '../../../testing/test-statement.ts'
import { accepted, creationFor, noticesOf, opened, orderFor, patient } from '../testing/network-bed.ts'
import { holdNetworkToContract } from '../testing/network-contract.ts'
import { debtorNamed, openSandboxNetworkBed } from './testing/sandbox-network-bed.ts'
import type { SandboxNetworkBed } from './testing/sandbox-network-bed.ts'

holdNetworkToContract('The sandbox network', openSandboxNetworkBed)

let bed: SandboxNetworkBed
beforeAll(async () => {
  bed = await openSandboxNetworkBed()
})
afterAll(() => bed.close())

const answersOf = async (agreementId: string) =>
  (await noticesOf(bed, agreementId)).map(({ answer }) => answer)
const pay = (agreementId: string) => bed.network.pay(orderFor(agreementId), patient())

describe('the payers of the sandbox', () => {
  it.each([
    ['approve', ['accept'], 'settled'],
    ['decline', ['decline'], 'failed'],
    ['silent', [], 'failed'],
    ['insufficient', ['accept'], 'failed'],
    ['investigate', ['accept'], 'under_investigation'],
    ['pause', ['accept'], 'settled'],
    ['late', ['accept'], 'unknown'],
    ['grace', [], 'failed'],
  ])('%s@ answers %o; a payment is %s', async (name, answers, outcome) => {
    const agreementId = await opened(bed, debtorNamed(name))
    expect(await answersOf(agreementId)).toEqual(answers)
    expect((await pay(agreementId)).kind).toBe(outcome)
  })

  it('pause@ suspends a second after it has accepted, once', async () => {
    const agreementId = await opened(bed, debtorNamed('pause'))
    bed.pass(900)
    expect(await answersOf(agreementId)).toEqual(['accept'])
    bed.pass(200)
    const [once, twice] = await Promise.all([answersOf(agreementId), answersOf(agreementId)])
    expect([once.length, twice.length]).toContain(2)
    expect(await answersOf(agreementId)).toEqual(['accept', 'suspend'])
    expect(await pay(agreementId)).toMatchObject({ kind: 'failed', code: 'agreement_not_active' })
    await bed.answerAs(agreementId, 'release')
    bed.pass(5000)
    expect(await answersOf(agreementId)).toEqual(['accept', 'suspend', 'release'])
  })

  it('investigate@ settles a second later', async () => {
    const order = orderFor(await opened(bed, debtorNamed('investigate')))
    const begun = await bed.network.pay(order, patient())
    bed.pass(1100)
    const ended = await bed.network.outcomeOf(order.paymentId, patient())
    expect([begun.kind, ended]).toEqual(['under_investigation', { ...begun, kind: 'settled' }])
  })

  it('approve@ accepts what it is asked later too', async () => {
    const agreementId = await opened(bed, debtorNamed('approve'))
    const { mandate } = creationFor(debtorNamed('approve'))
    const terms = { ...mandate.terms, maximum_amount: 20 }
    await bed.network.instruct(
      { kind: 'amend', id: 'lower', agreementId, amendmentId: 'amendment', mandate: { ...mandate, terms } },
      patient(),
    )
    expect(await noticesOf(bed, agreementId)).toMatchObject([
      {},
      { answer: 'accept_amendment', amendmentId: 'amendment' },
    ])
    expect(await pay(agreementId)).toMatchObject({ kind: 'failed', code: 'limit_exceeded' })
  })
})

describe("the sandbox's ledger", () => {
  it('counts how often a payment was ordered, and holds the first', async () => {
    const agreementId = await accepted(bed)
    const order = orderFor(agreementId)
    for (let times = 0; times < 3; times += 1)
      await bed.network.pay({ ...order, reference: `${times}` }, patient())
    expect(await bed.ledger.paymentsOf(agreementId, 10)).toMatchObject([
      { paymentId: order.paymentId, reference: '0', timesAsked: 3 },
    ])
  })

  it('holds no account number and no PayID', async () => {
    const debtor = {
      name: 'Grace',
      type: 'person',
      account: { bsb: '802985', account_number: '123454321' },
    } as const
    for (const one of [debtor, debtorNamed('findable')]) {
      const agreementId = await opened(bed, one)
      const [row] = await bed.database.run(
        testStatement<{ kept: string }>(
          't_mandate_text',
          'SELECT mandates::text AS kept FROM sandbox_network.mandates WHERE id = $1',
        ),
        [agreementId],
      )
      expect(row?.kept).toContain('Acme Power')
      expect(row?.kept).not.toMatch(/123454321|findable|7654321/)
    }
  })
})
