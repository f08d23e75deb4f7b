import * as v from 'valibot'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import type { DisputeStage } from '../../../contract/api/disputes/dispute-resource.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import {
  bigint,
  float8,
  integer,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Defence, DisputeAnswer, Disputes, News, ToldDispute } from './gateway.ts'

/** What the card holder of a captured amount does, chosen by the amount as the other scenarios are (docs/guides/testing.md). */
type DisputeScenario = 'is_won' | 'is_lost' | 'inquires' | 'comes_back' | 'is_urgent'

const SCENARIO_BY_CENTS: Readonly<Record<number, DisputeScenario>> = {
  41: 'is_won',
  42: 'is_lost',
  43: 'inquires',
  44: 'comes_back',
  45: 'is_urgent',
}
const SCENARIOS_FROM_CENTS = 900_000

/** How far a dispute has got. `open` and `reopened` wait for the merchant, until the time for its answer is over. */
type Step =
  | 'claimed'
  | 'open'
  | 'defended'
  | 'accepted'
  | 'comes_back'
  | 'reopened'
  | 'redefended'
  | 'reaccepted'
  | 'closed'

const OPEN_SECONDS = 2
const DECIDE_SECONDS = 2
const WEEK_SECONDS = 7 * 86_400
const URGENT_SECONDS = 60

/** Lets the card holder of what was just captured dispute it, if its amount says so; part of the capture's transaction. */
export async function claimCapture(
  queries: Queries,
  { holdId, amount, currency }: { holdId: string; amount: number; currency: string },
): Promise<void> {
  const scenario = amount < SCENARIOS_FROM_CENTS ? undefined : SCENARIO_BY_CENTS[amount % 100]
  if (scenario === undefined) return
  await queries.run(insertDispute, {
    id: `dispute-${holdId}`,
    hold_id: holdId,
    scenario,
    amount,
    currency,
    seconds: OPEN_SECONDS,
  })
}

const DEFENCES: readonly Defence[] = [
  {
    code: 'goods_or_services_provided',
    description: 'The goods were delivered, or the services rendered',
    documents: [
      { type: 'proof_of_delivery', description: 'Shows that it arrived', requirement: 'required' },
      { type: 'invoice', description: 'The invoice or receipt', requirement: 'optional' },
    ],
  },
  {
    code: 'refunded_already',
    description: 'The money was given back before',
    documents: [
      { type: 'refund_receipt', description: 'Shows the refund', requirement: 'one_or_more' },
      { type: 'correspondence', description: 'Letters with the customer', requirement: 'one_or_more' },
    ],
  },
]

/** Answers disputes of the sandbox. */
export function sandboxDisputes(database: Database): Disputes {
  const answer = async (id: string, answerId: string, action: 'accept' | 'defend') => {
    const [row] = await database.run(answerDispute, {
      id,
      answer_id: answerId,
      action,
      seconds: DECIDE_SECONDS,
    })
    return toAnswer(row?.answer_id === answerId)
  }
  return {
    takes: {
      contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      maxTotalBytes: 4_500_000,
      statement: true,
    },
    defencesOf: () => Promise.resolve({ kind: 'known', defences: DEFENCES }),
    accept: ({ disputeId, answerId }) => answer(disputeId, answerId, 'accept'),
    defend: async ({ disputeId, answerId, defence, documents }) => {
      const known = DEFENCES.find(({ code }) => code === defence)
      const types = new Set(documents.map(({ type }) => type))
      const isWhole = known?.documents.every((one) => one.requirement !== 'required' || types.has(one.type))
      if (isWhole !== true)
        return { kind: 'refused', message: 'The sandbox misses a document that is required.' }
      return answer(disputeId, answerId, 'defend')
    },
  }
}

function toAnswer(isTaken: boolean): DisputeAnswer {
  return isTaken
    ? { kind: 'taken' }
    : { kind: 'refused', message: 'The sandbox takes no answer to this dispute now.' }
}

/** News of the sandbox, with the gateway account that it is for. */
export interface SandboxNews {
  account: { merchantId: string; gatewayId: string; gatewayType: string }
  news: News
}

/** The disputes that go on now, each with what it tells; it has gone on once `keep` has kept that. Ten at a time. */
export async function tellOfDisputes(
  database: Database,
  keep: (told: SandboxNews) => Promise<unknown>,
): Promise<void> {
  for (const row of await database.run(selectDue, {})) {
    const { told, next, waitSeconds } = goOn(row)
    const respondBy = isOpen(next) ? new Date(row.now.getTime() + waitSeconds * 1000) : null
    await keep({ account: accountOf(row), news: newsOf(row, { ...told, respondBy }) })
    await database.run(moveDispute, {
      id: row.id,
      step: row.step,
      next,
      seconds: waitSeconds,
      respond_by: respondBy,
    })
  }
}

const isOpen = (step: Step): boolean => step === 'open' || step === 'reopened'

/** What a dispute's own step tells of it. */
type Tells = Pick<ToldDispute, 'stage' | 'status' | 'funds' | 'description'>

/** What a dispute tells now, and what follows; `waitSeconds` is 0 where nothing does by itself. */
interface Going {
  told: Tells
  next: Step
  waitSeconds: number
}

const TOLD = {
  inquired: { status: 'needs_response', funds: null, description: 'The issuer asks about the payment' },
  claimed: { status: 'needs_response', funds: 'withdrawn', description: 'Charged back' },
  claimedAgain: { status: 'needs_response', funds: 'withdrawn', description: 'Charged back once more' },
  forgotten: { status: 'lost', funds: 'withdrawn', description: 'Not answered in time' },
  accepted: { status: 'accepted', funds: 'withdrawn', description: 'Accepted by the merchant' },
  lost: { status: 'lost', funds: 'withdrawn', description: 'Decided for the card holder' },
  won: { status: 'won', funds: 'returned', description: 'Decided for the merchant' },
} as const

/** How a dispute ends after each step at which nothing else follows. */
const ENDINGS: Readonly<Record<Exclude<Step, 'claimed' | 'comes_back'>, Omit<Tells, 'stage'>>> = {
  open: TOLD.forgotten,
  accepted: TOLD.accepted,
  defended: TOLD.won,
  reopened: TOLD.forgotten,
  reaccepted: TOLD.accepted,
  redefended: TOLD.won,
  closed: TOLD.won,
}
const AFTER_FIRST: ReadonlySet<Step> = new Set(['comes_back', 'reopened', 'reaccepted', 'redefended'])

function goOn({ scenario, step }: Pick<DueRow, 'scenario' | 'step'>): Going {
  const first: DisputeStage = scenario === 'inquires' ? 'inquiry' : 'chargeback'
  const stage: DisputeStage = AFTER_FIRST.has(step) ? 'second_chargeback' : first
  if (step === 'claimed') {
    const told = { stage, ...TOLD[scenario === 'inquires' ? 'inquired' : 'claimed'] }
    return { told, next: 'open', waitSeconds: scenario === 'is_urgent' ? URGENT_SECONDS : WEEK_SECONDS }
  }
  if (step === 'comes_back')
    return { told: { stage, ...TOLD.claimedAgain }, next: 'reopened', waitSeconds: WEEK_SECONDS }
  if (step === 'defended' && scenario === 'comes_back')
    return { told: { stage, ...TOLD.won }, next: 'comes_back', waitSeconds: DECIDE_SECONDS }
  const isLost = step === 'defended' && scenario === 'is_lost'
  return { told: { stage, ...(isLost ? TOLD.lost : ENDINGS[step]) }, next: 'closed', waitSeconds: 0 }
}

const REASONS: Readonly<Record<DisputeScenario, NonNullable<ToldDispute['reason']>>> = {
  is_won: { category: 'not_received', code: '13.1', description: 'Merchandise or services not received' },
  is_lost: { category: 'fraud', code: '10.4', description: 'Other fraud, card absent' },
  inquires: { category: 'other', code: null, description: 'The card holder does not recognise the payment' },
  comes_back: { category: 'not_as_described', code: '13.3', description: 'Not as described, or defective' },
  is_urgent: { category: 'duplicate', code: '12.6', description: 'Duplicate processing' },
}

function newsOf(row: DueRow, told: Tells & { respondBy: Date | null }): News {
  const { id, hold_id: saleId, step, scenario, now } = row
  return {
    key: `${id} ${step}`,
    name: 'dispute',
    at: now,
    attemptId: null,
    saleId,
    externalId: id,
    amount: v.parse(CentsLeft, row.amount),
    currency: row.currency,
    says: { kind: 'dispute', disputeId: id, reason: REASONS[scenario], isDefensible: null, ...told },
    sent: { id, step },
  }
}

function accountOf({ merchant_id: merchantId, gateway_id: gatewayId }: DueRow): SandboxNews['account'] {
  return { merchantId, gatewayId, gatewayType: 'sandbox' }
}

const insertDispute = statement({
  name: 'sandbox_claim_capture',
  values: {
    id: text,
    hold_id: text,
    scenario: textOf<DisputeScenario>(),
    amount: bigint,
    currency: text,
    seconds: float8,
  },
  columns: {},
  sql: `
    INSERT INTO sandbox_gateway.disputes (id, hold_id, scenario, amount, currency, step, next_at)
    VALUES (:id, :hold_id, :scenario, :amount, :currency, 'claimed', now() + :seconds * interval '1 second')
    ON CONFLICT DO NOTHING`,
})

const dueColumns = {
  id: text,
  hold_id: text,
  scenario: textOf<DisputeScenario>(),
  amount: bigint,
  currency: text,
  step: textOf<Step>(),
  merchant_id: text,
  gateway_id: text,
  now: timestamptz,
}
type DueRow = ValuesOf<typeof dueColumns>

const selectDue = statement({
  name: 'sandbox_due_disputes',
  values: {},
  columns: dueColumns,
  sql: `
    SELECT d.id, d.hold_id, d.scenario, d.amount, d.currency, d.step, c.merchant_id, c.gateway_id,
           date_trunc('milliseconds', now()) AS now
    FROM (
      SELECT * FROM sandbox_gateway.disputes WHERE next_at IS NOT NULL AND next_at <= now() ORDER BY next_at LIMIT 10
    ) d CROSS JOIN LATERAL (SELECT charge_id FROM attempts WHERE id = d.hold_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT merchant_id, gateway_id FROM charges WHERE id = a.charge_id LIMIT 1) c`,
})

/** Goes on from the step that was told of; an answer that came meanwhile stands. */
const moveDispute = statement({
  name: 'sandbox_move_dispute',
  values: {
    id: text,
    step: textOf<Step>(),
    next: textOf<Step>(),
    seconds: integer,
    respond_by: nullable(timestamptz),
  },
  columns: {},
  sql: `
    UPDATE sandbox_gateway.disputes SET step = :next, respond_by = :respond_by,
           next_at = CASE WHEN :seconds > 0 THEN now() + :seconds * interval '1 second' END
    WHERE id = :id AND step = :step`,
})

/** Takes an answer while one is waited for; the same answer once more changes nothing. */
const answerDispute = statement({
  name: 'sandbox_answer_dispute',
  values: { id: text, answer_id: text, action: textOf<'accept' | 'defend'>(), seconds: float8 },
  columns: { answer_id: nullable(text) },
  sql: `
    WITH answered AS (
      UPDATE sandbox_gateway.disputes SET answer_id = :answer_id, next_at = now() + :seconds * interval '1 second',
             step = CASE WHEN step = 'reopened' THEN 're' ELSE '' END
                    || CASE WHEN :action = 'accept' THEN 'accepted' ELSE 'defended' END
      WHERE id = :id AND step IN ('open', 'reopened') AND respond_by > now()
      RETURNING answer_id
    )
    SELECT answer_id FROM answered
    UNION ALL
    SELECT answer_id FROM sandbox_gateway.disputes WHERE id = :id AND NOT EXISTS (SELECT FROM answered)`,
})
