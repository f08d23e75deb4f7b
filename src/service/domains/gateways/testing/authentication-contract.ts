import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuthenticationMade } from '../../../../contract/api/charges/authentication.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Authentication, AuthenticationNeeded, AuthenticationTold } from '../gateway.ts'
import {
  ask,
  askedAbout,
  BY_BROWSER,
  cents,
  nextId,
  NOT_ASKED,
  order,
  soon,
  toAuthentication,
} from './gateway-bed.ts'
import type { BankBed, GatewayBed, SaleChange } from './gateway-bed.ts'

/** The tests that every adapter passes whose gateway has card holders authenticated. */
export function testAuthenticationContract(name: string, open: () => Promise<GatewayBed>): void {
  describe(`${name}, as it has card holders authenticated,`, () => {
    let bed: GatewayBed
    beforeAll(async () => {
      bed = await open()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of [...askedRules, ...onceRules, ...endRules, ...unaskedRules])
      it(rule, () => check(withBank(bed)))
  })
}

interface AskingBed extends GatewayBed {
  bank: BankBed
  authentication: Authentication
}

function withBank(bed: GatewayBed): AskingBed {
  const { bank, gateway } = bed
  if (bank === undefined || gateway.authentication === undefined) throw new Error('there is no bank')
  return { ...bed, bank, authentication: gateway.authentication }
}

interface Rule {
  rule: string
  check: (bed: AskingBed) => Promise<void>
}

const HUNDRED = cents('100.00')

interface Asked {
  attemptId: string
  amount: Cents
  needed: AuthenticationNeeded
  finish: (told: AuthenticationTold, signal?: AbortSignal) => ReturnType<Authentication['finish']>
  abandon: () => ReturnType<Authentication['abandon']>
  visit: (does: Parameters<BankBed['visit']>[2]) => Promise<AuthenticationTold>
  booksOf: () => ReturnType<GatewayBed['booksOf']>
}

/** A sale whose card holder is at the bank's page. */
async function asked(bed: AskingBed, change: SaleChange = {}): Promise<Asked> {
  const attemptId = nextId()
  const sale = { authentication: BY_BROWSER, ...bed.bank.asks, ...change }
  const answer = await ask(bed, HUNDRED, attemptId, sale)
  if (answer.kind !== 'authentication_needed') throw new Error(answer.kind)
  const capture = change.capture ?? false
  const stepOf = (signal = order(HUNDRED).signal) => ({
    ...toAuthentication(attemptId, HUNDRED, answer),
    capture,
    signal,
  })
  return {
    attemptId,
    amount: HUNDRED,
    needed: answer,
    finish: (told, signal) => bed.authentication.finish({ ...stepOf(signal), told }),
    abandon: () => bed.authentication.abandon(stepOf()),
    visit: (does) => bed.bank.visit(attemptId, answer, does),
    booksOf: () => bed.booksOf(attemptId),
  }
}

const question = (attemptId: string, capture = false) => askedAbout(HUNDRED, attemptId, LONG_AGO_MS, capture)
const LONG_AGO_MS = 1_200_000

const held = [{ held: 10_000, taken: 0, refunded: 0 }]
const LOOK: AuthenticationTold = { kind: 'look' }

const askedRules: readonly Rule[] = [
  ...[false, true].map((capture): Rule => ({
    rule: `${capture ? 'takes' : 'holds'} nothing before the card holder has passed`,
    async check(bed) {
      const sale = await asked(bed, { capture })
      expect(sale.needed.askedBy).toBe('gateway')
      expect(await sale.booksOf()).toEqual([])
      expect(await sale.finish(LOOK)).toEqual({ kind: 'waits' })
      const answer = await sale.finish(await sale.visit('passes'))
      expect(answer.kind).toBe('approved')
      const taken = capture ? 10_000 : 0
      expect(await sale.booksOf()).toEqual([{ held: 10_000 - taken, taken, refunded: 0 }])
    },
  })),
  {
    rule: 'says what the bank has said, and never its cryptogram',
    async check(bed) {
      const sale = await asked(bed)
      const answer = await sale.finish(await sale.visit('passes'))
      const result = answer.kind === 'approved' ? answer.authentication : undefined
      expect(result).toMatchObject({ flow: 'challenge', transStatus: 'Y', eci: '05' })
      expect(result?.version).toMatch(/^2\.\d\.\d$/)
      expect(result?.dsTransId).toMatch(/^[\da-f-]{36}$/)
      // 20 bytes as base64.
      expect(JSON.stringify(answer)).not.toMatch(/[A-Za-z0-9+/]{27}=/)
    },
  },
  {
    rule: 'declines one who fails, and lets go of one who cancels',
    async check(bed) {
      for (const [does, reasons] of [
        ['fails', ['authentication_failed']],
        ['cancels', ['authentication_failed', 'not_authenticated']],
      ] as const) {
        const sale = await asked(bed)
        const answer = await sale.finish(await sale.visit(does))
        expect(answer.kind).toBe('declined')
        expect(reasons).toContain(answer.kind === 'declined' && answer.reason)
        expect(await sale.booksOf()).toEqual([])
      }
    },
  },
  {
    rule: 'believes nothing that a browser brings',
    async check(bed) {
      const sale = await asked(bed)
      const other = await asked(bed)
      const ofOther = await other.visit('passes')
      for (const told of [...bed.bank.forged(sale.attemptId, sale.needed), ofOther])
        expect(await sale.finish(told)).toEqual({ kind: 'waits' })
      expect(await sale.booksOf()).toEqual([])
      expect(await sale.finish(await sale.visit('passes'))).toMatchObject({ kind: 'approved' })
      expect(await sale.booksOf()).toEqual(held)
    },
  },
  {
    rule: 'goes on to the bank’s page after the hidden frame, however that ended',
    async check(bed) {
      if (bed.bank.hiddenFrame === null) return
      for (const completed of [true, false]) {
        const sale = await asked(bed, bed.bank.hiddenFrame)
        expect(sale.needed.step.kind).toBe('method')
        const next = await sale.finish({ kind: 'method', completed })
        if (next.kind !== 'authentication_needed') throw new Error(next.kind)
        expect(next).toMatchObject({ askedBy: 'gateway', step: { kind: 'challenge' } })
        expect(await sale.booksOf()).toEqual([])
        const told = await bed.bank.visit(sale.attemptId, next, 'passes')
        const step = toAuthentication(sale.attemptId, HUNDRED, next, 1)
        expect(await bed.authentication.finish({ ...step, told })).toMatchObject({ kind: 'approved' })
        expect(await sale.booksOf()).toEqual(held)
      }
    },
  },
]

const onceRules: readonly Rule[] = [
  {
    rule: 'carries a step out once, however often it comes, and answers the same',
    async check(bed) {
      const sale = await asked(bed)
      const told = await sale.visit('passes')
      const answers = await Promise.all(Array.from({ length: 6 }, () => sale.finish(told)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await sale.booksOf()).toEqual(held)
    },
  },
  ...(['lost', 'unanswered'] as const).map((kind): Rule => ({
    rule: `finishes what was ${kind} when it comes again`,
    async check(bed) {
      const sale = await asked(bed)
      const told = await sale.visit('passes')
      const broken = await bed.meeting(kind, () => finalOf(sale.finish(told, soon())))
      expect(['unknown', 'unreachable']).toContain(broken.kind)
      expect(await sale.finish(told)).toMatchObject({ kind: 'approved' })
      expect(await sale.booksOf()).toEqual(held)
    },
  })),
]

async function finalOf(answer: ReturnType<Authentication['finish']>) {
  const given = await answer
  if (given.kind === 'waits' || given.kind === 'authentication_needed') throw new Error(given.kind)
  return given
}

/** The card holder passes the bank's page after all, if that is still there. */
const lateAtBank = ({ visit }: Asked) => visit('passes').catch(() => null)

const notAuthenticated = { kind: 'declined', reason: 'not_authenticated' }

const endRules: readonly Rule[] = [
  {
    rule: 'ends what the card holder gives up, any number of times',
    async check(bed) {
      const sale = await asked(bed)
      expect(await sale.abandon()).toMatchObject(notAuthenticated)
      expect(await sale.abandon()).toMatchObject(notAuthenticated)
      await lateAtBank(sale)
      expect(await sale.booksOf()).toEqual([])
    },
  },
  {
    rule: 'ends in one way that its books know, if giving up crosses the bank’s answer',
    async check(bed) {
      const sale = await asked(bed)
      const told = await sale.visit('passes')
      await bed.meeting('unanswered', () => finalOf(sale.finish(told, soon())))
      const answer = await sale.abandon()
      const left = (await sale.booksOf()).filter(({ held: amount }) => amount > 0)
      if (answer.kind === 'approved') expect(left).toEqual(held)
      else {
        expect(answer).toMatchObject(notAuthenticated)
        expect(left).toEqual([])
      }
    },
  },
  ...[false, true].map((capture): Rule => ({
    rule: `ends a sale ${capture ? 'at once' : 'to hold'} whose step nobody kept, when it is asked about`,
    async check(bed) {
      const sale = await asked(bed, { capture })
      expect(await bed.gateway.outcomeOf(question(sale.attemptId, capture))).toMatchObject(notAuthenticated)
      await lateAtBank(sale)
      expect(await sale.booksOf()).toEqual([])
    },
  })),
]

const required = { kind: 'declined', reason: 'authentication_required' }

const unaskedRules: readonly Rule[] = [
  {
    rule: 'asks by itself where the bank declines without, once',
    async check(bed) {
      const sale = await asked(bed, bed.bank.insists)
      expect(sale.needed.askedBy).toBe('bank')
      expect(await sale.finish(await sale.visit('passes'))).toMatchObject({ kind: 'approved' })
      expect(await sale.booksOf()).toEqual(held)
    },
  },
  {
    rule: 'ends such a sale too, if nobody kept its step',
    async check(bed) {
      const sale = await asked(bed, bed.bank.insists)
      expect(await bed.gateway.outcomeOf(question(sale.attemptId))).toMatchObject(notAuthenticated)
      expect(await sale.booksOf()).toEqual([])
    },
  },
  {
    rule: 'asks nobody where the merchant wants none, or no browser takes part',
    async check(bed) {
      const never = { ...BY_BROWSER, wish: 'never' } as const
      for (const authentication of [never, NOT_ASKED]) {
        const attemptId = nextId()
        const sale = { ...bed.bank.insists, authentication }
        expect(await ask(bed, HUNDRED, attemptId, sale)).toMatchObject(required)
        expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject(required)
        expect(await bed.booksOf(attemptId)).toEqual([])
      }
    },
  },
  {
    rule: 'asks everybody where the merchant wants that',
    async check(bed) {
      const always = { ...BY_BROWSER, wish: 'challenge' } as const
      const sale = await asked(bed, { card: {}, authentication: always })
      expect(sale.needed.askedBy).toBe('merchant')
      expect(await sale.finish(await sale.visit('passes'))).toMatchObject({ kind: 'approved' })
    },
  },
  {
    rule: 'takes what another provider has made, and keeps what it said',
    async check(bed) {
      const made: AuthenticationMade = {
        version: '2.2.0',
        eci: '05',
        trans_status: 'Y',
        cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
        ds_trans_id: '8835f5bd-6e3b-4a3c-9d51-0b5a3b1f2c4d',
      }
      const attemptId = nextId()
      const sale = { ...bed.bank.asks, authentication: { ...BY_BROWSER, made } }
      const answer = await ask(bed, HUNDRED, attemptId, sale)
      expect(answer).toMatchObject({
        kind: 'approved',
        authentication: { version: '2.2.0', eci: '05', dsTransId: made.ds_trans_id, transStatus: 'Y' },
      })
      expect(JSON.stringify(answer)).not.toContain(made.cryptogram)
      expect(await bed.booksOf(attemptId)).toEqual(held)
    },
  },
]
