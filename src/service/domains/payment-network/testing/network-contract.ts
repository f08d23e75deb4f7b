import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instruction } from '../payment-network.ts'
import { accepted, cents, creationFor, nextId, noticesOf, opened, orderFor, patient } from './network-bed.ts'
import type { NetworkBed } from './network-bed.ts'

/** Any text that is not empty. */
const SOMETHING: unknown = expect.stringMatching(/./)

/** The tests that every adapter passes, whatever its network is like. */
export function holdNetworkToContract(name: string, open: () => Promise<NetworkBed>): void {
  describe(`${name}, held to the contract of payment networks`, () => {
    let bed: NetworkBed
    beforeAll(async () => {
      bed = await open()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of [...mandateRules, ...paymentRules]) it(rule, () => check(bed))
  })
}

/** Something that holds for every network. */
interface NetworkRule {
  rule: string
  check: (bed: NetworkBed) => Promise<void>
}

const done = { kind: 'done' }
type Simple = Extract<Instruction, { kind: 'suspend' | 'release' | 'cancel' | 'expire' }>['kind']

const tell = ({ network }: NetworkBed, agreementId: string, kind: Simple, id = nextId('instruction')) =>
  network.instruct({ kind, id, agreementId }, patient())

const amendment = (agreementId: string, amendmentId: string): Instruction => ({
  kind: 'amend',
  id: nextId('instruction'),
  agreementId,
  amendmentId,
  mandate: creationFor({ name: 'Grace', type: 'person' }).mandate,
})

/** What a network does with mandates, and how payers' answers come. */
const mandateRules: readonly NetworkRule[] = [
  {
    rule: 'knows whose a PayID is, and which there are not',
    async check({ network, debtors }) {
      const ask = ({ pay_id: payId, account }: (typeof debtors)['waits']) => {
        if (payId !== undefined) return network.resolve({ payId }, patient())
        if (account !== undefined) return network.resolve({ account }, patient())
        throw new Error('a debtor of the bed has no address')
      }
      expect(await ask(debtors.waits)).toMatchObject({ kind: 'found' })
      expect(await ask(debtors.unknown)).toEqual({ kind: 'not_found' })
      expect(await ask(debtors.unreachable)).toEqual({ kind: 'unreachable' })
    },
  },
  {
    rule: 'opens a mandate once, also when it is told of it several times at once',
    async check(bed) {
      const creation = creationFor(bed.debtors.waits)
      const told = await Promise.all(
        Array.from({ length: 6 }, () => bed.network.instruct(creation, patient())),
      )
      expect(told).toEqual(Array.from({ length: 6 }, () => done))
      await bed.answerAs(creation.agreementId, 'accept')
      expect(await bed.network.instruct(creation, patient())).toEqual(done)
      expect(await noticesOf(bed, creation.agreementId)).toHaveLength(1)
    },
  },
  {
    rule: 'opens none for a debtor that does not exist, and says so',
    async check({ network, debtors }) {
      expect(await network.instruct(creationFor(debtors.unknown), patient())).toMatchObject({
        kind: 'refused',
        message: SOMETHING,
      })
      expect(await network.instruct(creationFor(debtors.unreachable), patient())).toEqual({
        kind: 'unreachable',
      })
    },
  },
  {
    rule: "tells of a payer's answers in their order, again and again until they are acknowledged",
    async check(bed) {
      const agreementId = await accepted(bed)
      await bed.answerAs(agreementId, 'suspend')
      await bed.answerAs(agreementId, 'release')
      const notices = await noticesOf(bed, agreementId)
      expect(notices.map(({ answer }) => answer)).toEqual(['accept', 'suspend', 'release'])
      const times = notices.map(({ at }) => at.getTime())
      expect(times).toEqual([...times].sort((one, other) => one - other))
      const [first, ...rest] = await noticesOf(bed, agreementId)
      const ids = [first?.id ?? '', 'never-heard-of']
      await bed.network.acknowledge(ids, patient())
      await bed.network.acknowledge(ids, patient())
      expect(await noticesOf(bed, agreementId)).toEqual(rest)
    },
  },
  {
    rule: 'gives as many notices as are asked for, the oldest',
    async check(bed) {
      await accepted(bed)
      await accepted(bed)
      const all = await bed.network.notices(1000, patient())
      expect(await bed.network.notices(1, patient())).toEqual(all.slice(0, 1))
    },
  },
  {
    rule: 'asks the payer for an amendment, and names it in the answer',
    async check(bed) {
      for (const answer of ['accept_amendment', 'decline_amendment'] as const) {
        const [agreementId, amendmentId] = [await accepted(bed), nextId('amendment')]
        const asked = amendment(agreementId, amendmentId)
        expect(await bed.network.instruct(asked, patient())).toEqual(done)
        await bed.answerAs(agreementId, answer)
        expect(await bed.network.instruct(asked, patient())).toEqual(done)
        expect((await noticesOf(bed, agreementId)).slice(1)).toMatchObject([{ answer, amendmentId }])
      }
    },
  },
  {
    rule: 'withdraws an amendment that waits, and not one that was answered',
    async check(bed) {
      const agreementId = await accepted(bed)
      const [waiting, answered] = [nextId('amendment'), nextId('amendment')]
      const withdraw = (amendmentId: string) =>
        bed.network.instruct(
          { kind: 'withdraw_amendment', id: nextId('instruction'), agreementId, amendmentId },
          patient(),
        )
      await bed.network.instruct(amendment(agreementId, waiting), patient())
      expect(await withdraw(waiting)).toEqual(done)
      await bed.network.instruct(amendment(agreementId, answered), patient())
      await bed.answerAs(agreementId, 'accept_amendment')
      expect(await withdraw(answered)).toMatchObject({ kind: 'refused' })
    },
  },
  {
    rule: 'follows each instruction once, and refuses what the mandate does not allow',
    async check(bed) {
      const agreementId = await accepted(bed)
      const suspension = nextId('instruction')
      expect(await tell(bed, agreementId, 'suspend', suspension)).toEqual(done)
      expect(await tell(bed, agreementId, 'release')).toEqual(done)
      expect(await tell(bed, agreementId, 'suspend', suspension)).toEqual(done)
      expect(await tell(bed, agreementId, 'release')).toEqual(done)
      expect(await tell(bed, agreementId, 'cancel')).toEqual(done)
      expect(await tell(bed, agreementId, 'suspend')).toMatchObject({ kind: 'refused' })
      const waiting = await opened(bed, bed.debtors.waits)
      expect(await tell(bed, waiting, 'cancel')).toEqual(done)
      await expect(bed.answerAs(waiting, 'accept')).rejects.toThrow()
    },
  },
  {
    rule: 'lets whoever suspended release, and not the other',
    async check(bed) {
      const agreementId = await accepted(bed)
      await bed.answerAs(agreementId, 'suspend')
      expect(await tell(bed, agreementId, 'release')).toMatchObject({ kind: 'refused' })
      await bed.answerAs(agreementId, 'release')
      await tell(bed, agreementId, 'suspend')
      await expect(bed.answerAs(agreementId, 'release')).rejects.toThrow()
      expect(await tell(bed, agreementId, 'release')).toEqual(done)
    },
  },
]

const failed = (code: string) => ({ kind: 'failed', code, message: SOMETHING })

/** What a network does with payments. */
const paymentRules: readonly NetworkRule[] = [
  {
    rule: 'pays, and says so again when asked',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      const outcome = await bed.network.pay(order, patient())
      expect(outcome).toMatchObject({ kind: 'settled', reference: SOMETHING })
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual(outcome)
      const { paymentId, amount } = order
      expect(await bed.booksOf(agreementId)).toEqual([{ paymentId, amount, outcome: 'settled' }])
    },
  },
  {
    rule: 'makes a payment once, however often it comes, also at the same time',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => bed.network.pay(order, patient())))
      expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(1)
      expect(await bed.booksOf(agreementId)).toHaveLength(1)
    },
  },
  {
    rule: 'knows no payment that was never sent, and makes it when it is',
    async check(bed) {
      const agreementId = await accepted(bed)
      const order = orderFor(agreementId)
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual({ kind: 'not_received' })
      expect(await bed.network.pay(order, patient())).toMatchObject({ kind: 'settled' })
    },
  },
  {
    rule: 'that paid and was not heard says so when asked, and does not pay again',
    async check(bed) {
      const agreementId = await opened(bed, bed.debtors.losesAnswers)
      const order = orderFor(agreementId)
      expect(await bed.network.pay(order, patient())).toEqual({ kind: 'unknown' })
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toMatchObject({ kind: 'settled' })
      await bed.network.pay(order, patient())
      expect(await bed.booksOf(agreementId)).toHaveLength(1)
    },
  },
  {
    rule: 'refuses what the payer has not agreed to',
    async check(bed) {
      const agreementId = await accepted(bed)
      const over = orderFor(agreementId, { amount: cents('100.01') })
      expect(await bed.network.pay(over, patient())).toMatchObject(failed('limit_exceeded'))
      const most = orderFor(agreementId, { amount: cents('100.00') })
      expect(await bed.network.pay(most, patient())).toMatchObject({ kind: 'settled' })
    },
  },
  {
    rule: 'pays for active mandates alone',
    async check(bed) {
      const inactive = failed('agreement_not_active')
      const waiting = await opened(bed, bed.debtors.waits)
      expect(await bed.network.pay(orderFor(waiting), patient())).toMatchObject(inactive)
      expect(await bed.network.pay(orderFor('never-heard-of'), patient())).toMatchObject(inactive)
      const agreementId = await accepted(bed)
      await bed.answerAs(agreementId, 'suspend')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject(inactive)
      await bed.answerAs(agreementId, 'release')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject({ kind: 'settled' })
      await bed.answerAs(agreementId, 'cancel')
      expect(await bed.network.pay(orderFor(agreementId), patient())).toMatchObject(inactive)
    },
  },
  {
    rule: 'fails for want of funds, and says the same again; the next payment is another one',
    async check(bed) {
      const agreementId = await opened(bed, bed.debtors.lacksFunds)
      const order = orderFor(agreementId)
      const outcome = await bed.network.pay(order, patient())
      expect(outcome).toMatchObject(failed('insufficient_funds'))
      expect(await bed.network.pay(order, patient())).toEqual(outcome)
      expect(await bed.network.outcomeOf(order.paymentId, patient())).toEqual(outcome)
    },
  },
  {
    rule: 'says that a payment is under investigation',
    async check(bed) {
      const order = orderFor(await opened(bed, bed.debtors.investigates))
      expect(await bed.network.pay(order, patient())).toMatchObject({
        kind: 'under_investigation',
        reference: SOMETHING,
      })
    },
  },
  {
    rule: 'never throws where nobody waits any more',
    async check({ network }) {
      const gone = AbortSignal.abort()
      await expect(network.pay(orderFor('never-heard-of'), gone)).resolves.toBeDefined()
      await expect(network.outcomeOf(nextId('payment'), gone)).resolves.toBeDefined()
    },
  },
]
