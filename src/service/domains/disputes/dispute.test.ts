import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Amount } from '../../../contract/api/fields/amount.ts'
import type { Defence } from '../gateways/gateway.ts'
import {
  actionsOf,
  changeBetween,
  defencesWith,
  earlierAnswersOf,
  faultOfDocument,
  remindAt,
  requireAnswerable,
  stateOf,
  sumsOf,
  NOTHING_TOLD,
  toldDisputeOf,
  WENT_ON,
} from './dispute.ts'
import type { Answer, Dispute, Happening, KeptDocument } from './dispute.ts'

const cents = (amount: string) => v.parse(Amount, amount)
const WHOLE = cents('100.00')
const day = (number: number) => new Date(Date.UTC(2026, 10, number))

const happening = (overrides: Partial<Happening> = {}): Happening => ({
  at: day(1),
  externalId: 'd1',
  stage: 'chargeback',
  ...NOTHING_TOLD,
  description: 'something',
  ...overrides,
})
const opened = happening({ status: 'needs_response', funds: 'withdrawn', respondBy: day(20) })
const defended = happening({ at: day(2), status: 'under_review' })
const won = happening({ at: day(3), status: 'won', funds: 'returned' })
const lost = happening({ at: day(3), status: 'lost' })
const accepted = happening({ at: day(2), status: 'accepted' })
const inquiry = happening({ at: day(1), stage: 'inquiry', status: 'needs_response' })
const again = happening({
  at: day(9),
  stage: 'second_chargeback',
  status: 'needs_response',
  funds: 'withdrawn',
  respondBy: day(30),
})

describe('news of a dispute is of', () => {
  const known = (externalId: string, amount: string, ...happenings: Happening[]) => ({
    amount: cents(amount),
    entries: happenings.map((one) => ({
      ...{ id: externalId, happening: { ...one, externalId }, at: one.at },
      ...({ change: null, status: 'needs_response', stage: one.stage, answer: null } as const),
    })),
  })
  const first = known('d1', '30.00', opened)
  const other = known('d2', '20.00', opened)
  const secondAlone = known('d9', '30.00', again)
  const second = { disputeId: 'd9', stage: 'second_chargeback' } as const

  it.each([
    ['the one with its id', [first, other], { ...second, disputeId: 'd1' }, '20.00', first],
    ['a second stage, the one of its amount', [first, other], second, '30.00', first],
    ['a second stage of another amount, the newest', [first, other], second, '99.00', other],
    [
      'the second stage that was heard of before it',
      [secondAlone],
      { ...second, disputeId: 'd1', stage: 'chargeback' },
      '30.00',
      secondAlone,
    ],
    ['a new one', [first], { disputeId: 'd2', stage: 'chargeback' }, '30.00', null],
  ] as const)('%s', (_, disputes, told, amount, expected) => {
    expect(toldDisputeOf(disputes, told, { at: day(1), amount: cents(amount) })).toBe(expected)
  })

  it('a new one, where it is younger than a second stage that was heard of before', () => {
    const told = { disputeId: 'd1', stage: 'chargeback' } as const
    expect(toldDisputeOf([secondAlone], told, { at: day(10), amount: WHOLE })).toBeNull()
  })
})

describe('where a dispute stands', () => {
  it.each<[string, Happening[], string]>([
    ['opened', [opened], 'chargeback needs_response withdrawn'],
    ['an inquiry', [inquiry], 'inquiry needs_response with the merchant'],
    ['an inquiry that became a chargeback', [inquiry, opened], 'chargeback needs_response withdrawn'],
    ['defended', [opened, defended], 'chargeback under_review withdrawn'],
    ['won', [opened, defended, won], 'chargeback won with the merchant'],
    ['lost', [opened, defended, lost], 'chargeback lost withdrawn'],
    ['accepted', [opened, accepted], 'chargeback accepted withdrawn'],
    ['accepted, which gateways call lost', [opened, accepted, lost], 'chargeback accepted withdrawn'],
    ['opened once more', [opened, defended, won, again], 'second_chargeback needs_response withdrawn'],
    [
      'lost at the second stage',
      [opened, won, { ...lost, stage: 'second_chargeback' }],
      'second_chargeback lost with the merchant',
    ],
  ])('%s', (_, happenings, expected) => {
    const { stage, status, areFundsWithdrawn } = stateOf(happenings, WHOLE)
    expect(`${stage} ${status} ${areFundsWithdrawn ? 'withdrawn' : 'with the merchant'}`).toBe(expected)
  })

  it('is the same in whatever order it was heard of', () => {
    const all = [inquiry, opened, defended, won, again]
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(stateOf(shuffled, WHOLE)).toEqual(stateOf(all, WHOLE))
      }),
    )
  })

  it('goes by the latest word about amount, reason and deadline; a deadline is of its stage', () => {
    const reason = { category: 'fraud', code: '10.4', description: 'Fraud' } as const
    const later = happening({ at: day(2), amount: cents('40.00'), reason, respondBy: day(25) })
    expect(stateOf([later, opened], WHOLE)).toMatchObject({ amount: 4000, reason, respondBy: day(25) })
    expect(stateOf([opened], WHOLE)).toMatchObject({ amount: 10_000, reason: { category: 'other' } })
    expect(stateOf([opened, { ...again, respondBy: null }], WHOLE).respondBy).toBeNull()
  })
})

describe('what a merchant is told', () => {
  const stateAfter = (...happenings: Happening[]) => stateOf(happenings, WHOLE)
  it.each([
    ['of a new one', null, [opened], 'opened'],
    ['of a new one that was decided already', null, [opened, lost], 'lost'],
    ['of a defence', [opened], [opened, defended], 'under_review'],
    ['of a decision', [opened, defended], [opened, defended, won], 'won'],
    ['of the next stage', [opened, won], [opened, won, again], 'reopened'],
    ['of a chargeback after an inquiry', [inquiry], [inquiry, opened], 'reopened'],
    ['of a new deadline', [opened], [opened, happening({ at: day(2), respondBy: day(22) })], 'updated'],
    ['of money that moves', [opened], [opened, happening({ at: day(4), funds: 'returned' })], 'updated'],
    ['of nothing new', [opened], [opened, happening({ at: day(2) })], null],
  ] as const)('%s', (_, before, after, change) => {
    expect(changeBetween(before === null ? null : stateAfter(...before), stateAfter(...after))).toBe(change)
  })
})

const answer = (overrides: Partial<Answer> = {}): Answer => ({
  id: 'a1',
  action: 'defend',
  stage: 'chargeback',
  defence: 'delivered',
  defenceDescription: 'It arrived',
  statement: null,
  documents: [],
  state: 'sending',
  message: null,
  at: day(2),
  userId: null,
  ...overrides,
})
const dispute = (overrides: Partial<Dispute> = {}): Dispute => ({
  ...stateOf([opened], WHOLE),
  id: 'd1',
  merchantId: 'm1',
  chargeId: 'c1',
  gatewayId: 'g1',
  gatewayType: 'sandbox',
  currency: 'AUD',
  answer: null,
  documents: [],
  pastDocuments: [],
  entries: [],
  isOverdue: false,
  createdAt: day(1),
  updatedAt: day(1),
  ...overrides,
})

describe('the earlier answers of a dispute', () => {
  const entryWith = (of: Answer | null): Dispute['entries'][number] => ({
    ...{
      id: 'e1',
      happening: opened,
      change: null,
      status: 'needs_response',
      stage: 'chargeback',
      at: day(3),
    },
    answer: of,
  })
  const later = { stage: 'second_chargeback' } as const
  const sent = answer({ id: 'a2', state: 'sent' })

  it.each<[string, Partial<Dispute>, readonly Partial<Answer>[]]>([
    ['are none at its first stage', { answer: sent, entries: [entryWith(sent)] }, []],
    [
      'are the last of each stage',
      {
        ...later,
        answer: sent,
        entries: [entryWith(null), entryWith(answer({ state: 'refused' })), entryWith(sent)],
      },
      [sent],
    ],
    [
      'stay when another is given',
      { ...later, answer: answer({ id: 'a3', ...later }), entries: [entryWith(sent)] },
      [sent],
    ],
    ['are on their way until their gateway is asked', { ...later, answer: answer() }, [answer()]],
    [
      'are not on their way once another is given',
      { ...later, answer: answer({ id: 'a3', ...later }), entries: [entryWith(answer())] },
      [{ id: 'a1', state: 'refused', message: WENT_ON }],
    ],
  ])('%s', (_, change, expected) => {
    expect(earlierAnswersOf(dispute(change))).toMatchObject(expected)
  })
})

describe('a dispute takes an answer', () => {
  it.each<[string, Partial<Dispute>, boolean, readonly string[]]>([
    ['while it needs a response', {}, true, ['accept', 'defend']],
    ['only by accepting it, where it can’t be defended', { isDefensible: false }, true, ['accept']],
    ['never at a gateway without disputes', {}, false, []],
    ['never after its deadline', { isOverdue: true }, true, []],
    ['never while one is on its way', { answer: answer() }, true, []],
    ['again once one was refused', { answer: answer({ state: 'refused' }) }, true, ['accept', 'defend']],
    [
      'again at its next stage',
      { stage: 'second_chargeback', answer: answer({ state: 'sent' }) },
      true,
      ['accept', 'defend'],
    ],
    ['never under review', { status: 'under_review' }, true, []],
    ['never once it is closed', { status: 'lost' }, true, []],
  ])('%s', (_, overrides, canAnswer, actions) => {
    const one = dispute(overrides)
    expect(actionsOf(one, canAnswer)).toEqual(actions)
    for (const action of ['accept', 'defend'] as const) {
      const isTaken = actions.includes(action)
      const ask = () => requireAnswerable(one, action, canAnswer)
      if (isTaken) expect(ask).not.toThrow()
      else expect(ask).toThrow(/./)
    }
  })
})

describe('the documents of a defence', () => {
  const defence: Defence = {
    code: 'delivered',
    description: 'It arrived',
    documents: [
      { type: 'proof', description: 'Proof', requirement: 'required' },
      { type: 'letter', description: 'Letter', requirement: 'one_or_more' },
      { type: 'mail', description: 'Mail', requirement: 'one_or_more' },
      { type: 'extra', description: 'Extra', requirement: 'optional' },
    ],
  }
  it.each([
    [[], false],
    [['proof'], false],
    [['letter'], false],
    [['proof', 'extra'], false],
    [['proof', 'mail'], true],
    [['proof', 'letter', 'mail', 'extra'], true],
  ])('with %j it is ready: %s', (added, isReady) => {
    const [shown] = defencesWith(
      [defence],
      added.map((type) => ({ type })),
    )
    expect(shown?.is_ready).toBe(isReady)
    expect(
      shown?.documents
        .filter((one) => one.is_added)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(added.toSorted())
  })
})

const pdf = Buffer.from('%PDF-1.4\n…\n%%EOF\n')
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('….IEND\xaeB`\x82', 'latin1')])
const jpeg = Buffer.from('ffd8ffe000104a464946ffd9', 'hex')
const takes = { contentTypes: ['application/pdf', 'image/jpeg'], maxTotalBytes: 1000 } as const
const keptDocument = (type: string, size = 10): KeptDocument => ({
  id: type,
  type,
  name: `${type}.pdf`,
  contentType: 'application/pdf',
  size,
  createdAt: day(1),
})

describe('a file', () => {
  it.each([
    ['a PDF', 'application/pdf', pdf, null],
    ['a JPEG', 'image/jpeg', jpeg, null],
    ['of a kind that the gateway does not take', 'image/png', png, 'content_type'],
    ['that is no PDF', 'application/pdf', jpeg, 'content'],
    ['that is cut off', 'application/pdf', pdf.subarray(0, 10), 'content'],
    ['a page that calls itself a PDF', 'application/pdf', Buffer.from('<html>%PDF-1.4 %%EOF'), 'content'],
    ['that is empty', 'image/jpeg', Buffer.alloc(0), 'content'],
  ] as const)('%s', (_, contentType, content, path) => {
    expect(faultOfDocument({ type: 'proof', contentType, content }, [], takes)?.path ?? null).toBe(path)
  })

  it('is refused where all files together are too large, or too many; one of its type makes room for it', () => {
    const file = { type: 'proof', contentType: 'application/pdf', content: pdf } as const
    expect(faultOfDocument(file, [keptDocument('big', 990)], takes)?.path).toBe('content')
    expect(faultOfDocument(file, [keptDocument('proof', 990)], takes)).toBeNull()
    const ten = Array.from({ length: 10 }, (_, at) => keptDocument(`t${String(at)}`))
    expect(faultOfDocument(file, ten, takes)?.path).toBe('type')
    expect(faultOfDocument({ ...file, type: 't3' }, ten, takes)).toBeNull()
  })
})

it('what a charge has disputed leaves won disputes out, and counts money that is gone', () => {
  const of = (...happenings: Happening[]) => stateOf(happenings, cents('30.00'))
  expect(sumsOf([of(opened), of(opened, won), of(inquiry), of(opened, lost)])).toEqual({
    disputed: 9000,
    chargedBack: 6000,
  })
})

it('a merchant is reminded three days before the deadline, while it has to answer', () => {
  expect(remindAt(stateOf([opened], WHOLE))).toEqual(day(17))
  expect(remindAt(stateOf([opened, defended], WHOLE))).toBeNull()
  expect(remindAt(stateOf([inquiry], WHOLE))).toBeNull()
})
