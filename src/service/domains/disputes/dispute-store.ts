import type {
  DisputeChange,
  DisputeStage,
  DisputeStatus,
  EvidenceType,
} from '../../../contract/api/disputes/dispute-resource.ts'
import { MAX_SHOWN } from '../../../contract/dashboard/overview.ts'
import type { Queries } from '../../platform/database/database.ts'
import {
  bigint,
  bool,
  cents,
  jsonb,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { forEachChoice, IN_WINDOW, toWindowValues, windowTypes } from '../../platform/listing/page-query.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import { remindAt, isClosed, stateOf } from './dispute.ts'
import type { Answer, Dispute, DisputeState, Entry, Happening, KeptDocument } from './dispute.ts'

/** A happening as JSON has it: times are texts. */
interface KeptHappening extends Omit<Happening, 'at' | 'respondBy'> {
  at: string
  respondBy: string | null
}

/** An answer as JSON has it. */
export interface KeptAnswer extends Omit<Answer, 'at'> {
  at: string
}

interface KeptEntry {
  happening: KeptHappening
  change: DisputeChange | null
  status: DisputeStatus
  stage: DisputeStage
  answer: KeptAnswer | null
}

/** A file as JSON has it. `past_at`: when it was taken away, though it had been sent at an earlier stage. */
interface DocumentRow {
  id: string
  type: string
  name: string
  content_type: EvidenceType
  size: number
  created_at: string
  past_at: string | null
}

const toKeptHappening = ({ at, respondBy, ...same }: Happening): KeptHappening => ({
  ...same,
  at: at.toISOString(),
  respondBy: respondBy?.toISOString() ?? null,
})
const toHappening = ({ at, respondBy, ...same }: KeptHappening): Happening => ({
  ...same,
  at: new Date(at),
  respondBy: respondBy === null ? null : new Date(respondBy),
})
export const toKeptAnswer = ({ at, ...same }: Answer): KeptAnswer => ({ ...same, at: at.toISOString() })
const toAnswer = ({ at, ...same }: KeptAnswer): Answer => ({ ...same, at: new Date(at) })

const disputeColumns = {
  id: text,
  merchant_id: text,
  charge_id: text,
  gateway_id: text,
  gateway_type: text,
  amount: cents,
  currency: text,
  answer: nullable(jsonb<KeptAnswer>()),
  is_overdue: bool,
  created_at: timestamptz,
  updated_at: timestamptz,
  entries: jsonb<readonly (KeptEntry & { id: string; written_at: string })[]>(),
  documents: jsonb<readonly DocumentRow[]>(),
}

/** Of a row `d`; `amount` is what is disputed of its charge, in case that nobody tells. */
const columns = `
  d.id, d.merchant_id, d.charge_id, d.gateway_id, d.gateway_type, d.amount, d.currency, d.answer, d.created_at, d.updated_at,
  coalesce(d.respond_by <= now(), false) AS is_overdue,
  (SELECT coalesce(jsonb_agg(c.entry || jsonb_build_object('id', c.id, 'written_at', c.created_at) ORDER BY c.place), '[]')
   FROM dispute_changes c WHERE c.dispute_id = d.id) AS entries,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'type', f.type, 'name', f.name, 'content_type', f.content_type,
     'size', f.size, 'created_at', f.created_at, 'past_at', f.past_at) ORDER BY f.created_at, f.id), '[]')
   FROM dispute_documents f WHERE f.dispute_id = d.id) AS documents`

function toDispute(row: ValuesOf<typeof disputeColumns>): Dispute {
  const entries = row.entries.map(({ happening, answer, written_at, ...same }): Entry => ({
    ...same,
    happening: toHappening(happening),
    answer: answer === null ? null : toAnswer(answer),
    at: new Date(written_at),
  }))
  return {
    ...stateOf(
      entries.map(({ happening }) => happening),
      row.amount,
    ),
    id: row.id,
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    gatewayId: row.gateway_id,
    gatewayType: row.gateway_type,
    currency: row.currency,
    answer: row.answer === null ? null : toAnswer(row.answer),
    documents: row.documents.filter(({ past_at }) => past_at === null).map(toDocument),
    pastDocuments: row.documents.filter(({ past_at }) => past_at !== null).map(toDocument),
    entries,
    isOverdue: row.is_overdue,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toDocument(row: DocumentRow): KeptDocument {
  const { id, type, name, size } = row
  return { id, type, name, size, contentType: row.content_type, createdAt: new Date(row.created_at) }
}

/** A dispute, whoever its merchant is. */
export async function findDispute(queries: Queries, id: string): Promise<Dispute | null> {
  const [row] = await queries.run(selectDispute, { id })
  return row === undefined ? null : toDispute(row)
}

/** All disputes of a charge, oldest first. */
export async function findOfCharge(queries: Queries, chargeId: string): Promise<Dispute[]> {
  return (await queries.run(selectOfCharge, { charge_id: chargeId })).map(toDispute)
}

/** The charge of the dispute that a gateway account knows by this id, at whichever stage; null if there is none. */
export async function findChargeOf(
  queries: Queries,
  gatewayId: string,
  externalId: string,
): Promise<string | null> {
  const [row] = await queries.run(selectByGateway, { gateway_id: gatewayId, external_id: externalId })
  return row?.charge_id ?? null
}

/** The dispute and the answer as they were right after an event; null if the event is of no change of it. */
export async function findAsOf(
  queries: Queries,
  { id, subject }: { id: string; subject: string },
): Promise<Dispute | null> {
  const [row] = await queries.run(selectDispute, { id: subject })
  if (row === undefined) return null
  const upTo = row.entries.findIndex((entry) => entry.id === id)
  const entry = row.entries[upTo]
  if (entry === undefined) return null
  const isAfter = (time: string) => new Date(time) > new Date(entry.written_at)
  const documents = row.documents
    .filter(({ created_at }) => !isAfter(created_at))
    .map((one) => (one.past_at !== null && isAfter(one.past_at) ? { ...one, past_at: null } : one))
  const dispute = toDispute({
    ...row,
    entries: row.entries.slice(0, upTo + 1),
    answer: entry.answer,
    documents,
  })
  const updatedAt = new Date(entry.written_at)
  return { ...dispute, isOverdue: dispute.respondBy !== null && dispute.respondBy <= updatedAt, updatedAt }
}

export interface DisputeFilter extends PageFilter {
  chargeId: string | null
  /** Only those that need a response before this time. */
  dueBefore: Date | null
}

/**
 * A page of a merchant's disputes that pass a filter, newest first. Where all of them need a response, the nearest deadline comes first
 * instead, and those without one last.
 */
export async function listDisputes(
  queries: Queries,
  merchantId: string,
  filter: DisputeFilter,
): Promise<Dispute[]> {
  const { status, limit, skip, after, chargeId: charge_id } = filter
  const page = { merchant_id: merchantId, limit, skip }
  if (!isByDeadline(filter)) {
    const values = { ...page, ...toWindowValues(filter), status, charge_id }
    return (await queries.run(disputeListFor(values), values)).map(toDispute)
  }
  if (status !== null && status !== 'needs_response') return []
  const { created_from, before_created_at: created_before } = toWindowValues({ ...filter, after: null })
  const window = { created_from, created_before, after_due: after?.createdAt ?? EARLIEST }
  const values = { ...page, ...window, after_id: after?.id ?? '', charge_id, due_before: filter.dueBefore }
  return (await queries.run(dueListFor(values), values)).map(toDispute)
}

function isByDeadline({ status, dueBefore }: Pick<DisputeFilter, 'status' | 'dueBefore'>): boolean {
  return status === 'needs_response' || dueBefore !== null
}

/** Between these a list by deadlines is in order, as cursors have no other times; without a deadline a dispute stands at the end. */
const EARLIEST = new Date('2000-01-01T00:00:00.000Z')
const LATEST = new Date('3000-01-01T00:00:00.000Z')

/** The place of a dispute in the list of this filter, for its cursor. */
export function placeIn(filter: Pick<DisputeFilter, 'status' | 'dueBefore'>) {
  return (dispute: Pick<Dispute, 'id' | 'createdAt' | 'respondBy'>): Position =>
    isByDeadline(filter) ? { createdAt: placeAt(dispute.respondBy ?? LATEST), id: dispute.id } : dispute
}

function placeAt(deadline: Date): Date {
  return new Date(Math.min(Math.max(deadline.getTime(), EARLIEST.getTime()), LATEST.getTime()))
}

/** The disputes of a merchant that need a response soonest, for the list of what needs attention. */
export function findToAnswer(queries: Queries, merchantId: string, most: number) {
  return queries.run(selectToAnswer, { merchant_id: merchantId, most, shown: MAX_SHOWN })
}

/** A dispute as it is written, with the entry that changes it. */
interface Written extends Pick<
  Dispute,
  'id' | 'merchantId' | 'chargeId' | 'gatewayId' | 'gatewayType' | 'currency' | 'answer'
> {
  state: DisputeState
  entry: { id: string; newsKey: string; happening: Happening; change: DisputeChange | null }
}

/** Writes an entry, and the dispute as it is after it, within the transaction that has locked its charge. */
export async function writeEntry(queries: Queries, { state, entry, ...dispute }: Written): Promise<void> {
  const answer = dispute.answer === null ? null : toKeptAnswer(dispute.answer)
  await queries.run(upsertDispute, {
    id: dispute.id,
    merchant_id: dispute.merchantId,
    charge_id: dispute.chargeId,
    gateway_id: dispute.gatewayId,
    gateway_type: dispute.gatewayType,
    external_id: state.externalId,
    status: state.status,
    stage: state.stage,
    amount: state.amount,
    currency: dispute.currency,
    funds_withdrawn: state.areFundsWithdrawn,
    respond_by: state.respondBy,
    remind_at: remindAt(state),
    is_closed: isClosed(state),
    answer,
  })
  await queries.run(insertChange, {
    id: entry.id,
    dispute_id: dispute.id,
    news_key: entry.newsKey,
    entry: {
      happening: toKeptHappening(entry.happening),
      change: entry.change,
      status: state.status,
      stage: state.stage,
      answer,
    },
  })
}

/** Whether a dispute has an entry of this news. */
export async function hasNews(queries: Queries, disputeId: string, newsKey: string): Promise<boolean> {
  return (await queries.run(selectNews, { dispute_id: disputeId, news_key: newsKey })).length > 0
}

/** Disputes whose merchants are to be reminded, with their charges; 100 at most. */
export function findToRemind(queries: Queries): Promise<{ id: string; charge_id: string }[]> {
  return queries.run(selectToRemind, {})
}

/** So that a merchant is reminded once of each deadline. */
export async function noteReminder(queries: Queries, disputeId: string): Promise<void> {
  await queries.run(clearReminder, { id: disputeId })
}

const selectDispute = statement({
  name: 'find_dispute',
  values: { id: text },
  columns: disputeColumns,
  sql: `SELECT ${columns} FROM disputes d WHERE d.id = :id`,
})

const selectOfCharge = statement({
  name: 'find_disputes_of_charge',
  values: { charge_id: text },
  columns: disputeColumns,
  sql: `SELECT ${columns} FROM disputes d WHERE d.charge_id = :charge_id ORDER BY d.created_at, d.id`,
})

const selectByGateway = statement({
  name: 'find_dispute_at_gateway',
  values: { gateway_id: text, external_id: text },
  columns: { charge_id: text },
  sql: `
    SELECT d.charge_id FROM dispute_changes c JOIN disputes d ON d.id = c.dispute_id
    WHERE c.entry -> 'happening' ->> 'externalId' = :external_id AND d.gateway_id = :gateway_id LIMIT 1`,
})

const CONDITIONS = {
  status: { type: nullable(text), sql: 'status = :status' },
  charge_id: { type: nullable(text), sql: 'charge_id = :charge_id' },
  due_before: { type: nullable(timestamptz), sql: 'respond_by < :due_before' },
} as const

/** Those of the names that are chosen narrow a list; the others are null. */
function narrowedBy<Name extends keyof typeof CONDITIONS>(
  names: readonly Name[],
  chosen: readonly Name[],
): string {
  return names
    .map((name) => {
      const { type, sql } = CONDITIONS[name]
      return `AND ${chosen.includes(name) ? sql : `:${name}::${type.sql} IS NULL`}`
    })
    .join(' ')
}

const NEWEST_BY = ['status', 'charge_id'] as const
/** Newest first. */
export const disputeListFor = forEachChoice(NEWEST_BY, (chosen) =>
  statement({
    name: ['list_disputes', ...chosen].join('_'),
    values: {
      merchant_id: text,
      status: CONDITIONS.status.type,
      charge_id: CONDITIONS.charge_id.type,
      ...windowTypes,
      limit: bigint,
      skip: bigint,
    },
    columns: disputeColumns,
    sql: `
      SELECT ${columns} FROM (
        SELECT * FROM disputes
        WHERE merchant_id = :merchant_id ${narrowedBy(NEWEST_BY, chosen)} AND ${IN_WINDOW}
        ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip
      ) d ORDER BY d.created_at DESC, d.id DESC`,
  }),
)

const DUE_BY = ['charge_id', 'due_before'] as const
const DUE = `least(greatest(coalesce(respond_by, 'infinity'), '${EARLIEST.toISOString()}'), '${LATEST.toISOString()}')`
/** Those that need a response, the nearest deadline first. They are few at a time, and so they are sorted. */
export const dueListFor = forEachChoice(DUE_BY, (chosen) =>
  statement({
    name: ['list_due_disputes', ...chosen].join('_'),
    values: {
      merchant_id: text,
      charge_id: CONDITIONS.charge_id.type,
      due_before: CONDITIONS.due_before.type,
      created_from: timestamptz,
      created_before: timestamptz,
      after_due: timestamptz,
      after_id: text,
      limit: bigint,
      skip: bigint,
    },
    columns: disputeColumns,
    sql: `
      SELECT ${columns} FROM (
        SELECT *, ${DUE} AS due FROM disputes
        WHERE merchant_id = :merchant_id AND status = 'needs_response' ${narrowedBy(DUE_BY, chosen)}
          AND created_at >= :created_from AND created_at < :created_before AND (${DUE}, id) > (:after_due, :after_id)
        ORDER BY due, id LIMIT :limit OFFSET :skip
      ) d ORDER BY d.due, d.id`,
  }),
)

const TO_ANSWER = `disputes
  WHERE merchant_id = :merchant_id AND status = 'needs_response' AND coalesce(respond_by > now(), true)`
/** Those without a deadline come last. */
const selectToAnswer = statement({
  name: 'find_disputes_to_answer',
  values: { merchant_id: text, most: bigint, shown: bigint },
  columns: {
    id: text,
    at: notNull(timestamptz),
    amount: cents,
    currency: text,
    stage: textOf<DisputeStage>(),
    found: bigint,
  },
  sql: `
    SELECT id, coalesce(respond_by, created_at) AS at, amount, currency, stage,
           (SELECT count(*) FROM (SELECT FROM ${TO_ANSWER} LIMIT :most) counted) AS found
    FROM ${TO_ANSWER} ORDER BY respond_by LIMIT :shown`,
})

const upsertDispute = statement({
  name: 'write_dispute',
  values: {
    id: text,
    merchant_id: text,
    charge_id: text,
    gateway_id: text,
    gateway_type: text,
    external_id: text,
    status: textOf<DisputeStatus>(),
    stage: textOf<DisputeStage>(),
    amount: cents,
    currency: text,
    funds_withdrawn: bool,
    respond_by: nullable(timestamptz),
    remind_at: nullable(timestamptz),
    is_closed: bool,
    answer: nullable(jsonb<KeptAnswer>()),
  },
  columns: {},
  sql: `
    INSERT INTO disputes (id, merchant_id, charge_id, gateway_id, gateway_type, external_id, status, stage, amount, currency,
                          funds_withdrawn, respond_by, remind_at, closed_at)
    VALUES (:id, :merchant_id, :charge_id, :gateway_id, :gateway_type, :external_id, :status, :stage, :amount, :currency,
            :funds_withdrawn, :respond_by, :remind_at, CASE WHEN :is_closed THEN now() END)
    ON CONFLICT (id) DO UPDATE SET
      external_id = excluded.external_id, status = excluded.status, stage = excluded.stage, amount = excluded.amount,
      funds_withdrawn = excluded.funds_withdrawn, respond_by = excluded.respond_by, answer = :answer, updated_at = now(),
      remind_at = CASE WHEN disputes.respond_by IS DISTINCT FROM excluded.respond_by OR excluded.remind_at IS NULL
                       THEN excluded.remind_at ELSE disputes.remind_at END,
      send_after = CASE WHEN :answer::jsonb ->> 'state' = 'sending' THEN disputes.send_after END,
      closed_at = CASE WHEN :is_closed THEN coalesce(disputes.closed_at, now()) END`,
})

const insertChange = statement({
  name: 'write_dispute_change',
  values: { id: text, dispute_id: text, news_key: text, entry: jsonb<KeptEntry>() },
  columns: {},
  sql: `INSERT INTO dispute_changes (id, dispute_id, news_key, entry) VALUES (:id, :dispute_id, :news_key, :entry)`,
})

const selectNews = statement({
  name: 'see_dispute_news',
  values: { dispute_id: text, news_key: text },
  columns: { id: text },
  sql: 'SELECT id FROM dispute_changes WHERE dispute_id = :dispute_id AND news_key = :news_key',
})

const selectToRemind = statement({
  name: 'find_disputes_to_remind',
  values: {},
  columns: { id: text, charge_id: text },
  sql: 'SELECT id, charge_id FROM disputes WHERE remind_at IS NOT NULL AND remind_at <= now() ORDER BY remind_at LIMIT 100',
})

const clearReminder = statement({
  name: 'note_dispute_reminder',
  values: { id: text },
  columns: {},
  sql: 'UPDATE disputes SET remind_at = NULL WHERE id = :id',
})
