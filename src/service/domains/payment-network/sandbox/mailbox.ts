import type { Queries } from '../../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { DebtorAnswer, Notice } from '../payment-network.ts'

const findInstruction = statement({
  name: 'sandbox_find_instruction',
  values: { id: text },
  columns: { refusal: nullable(text) },
  sql: 'SELECT refusal FROM sandbox_network.instructions WHERE id = :id',
})
const writeInstruction = statement({
  name: 'sandbox_write_instruction',
  values: { id: text, agreement_id: text, refusal: nullable(text), created_at: timestamptz },
  columns: {},
  sql: `
    INSERT INTO sandbox_network.instructions (id, agreement_id, refusal, created_at)
    VALUES (:id, :agreement_id, :refusal, :created_at)`,
})
const noticeColumns = {
  id: text,
  agreement_id: text,
  answer: textOf<DebtorAnswer>(),
  amendment_id: nullable(text),
  created_at: timestamptz,
}
const writeNotice = statement({
  name: 'sandbox_write_notice',
  values: noticeColumns,
  columns: {},
  sql: `
    INSERT INTO sandbox_network.notices (id, agreement_id, answer, amendment_id, created_at)
    VALUES (:id, :agreement_id, :answer, :amendment_id, :created_at)`,
})
const listNotices = statement({
  name: 'sandbox_list_notices',
  values: { most: bigint },
  columns: noticeColumns,
  sql: `
    SELECT id, agreement_id, answer, amendment_id, created_at FROM sandbox_network.notices
    ORDER BY position LIMIT :most`,
})
/** Whether there is a notice, or a payer who is to suspend by now. */
const seeNews = statement({
  name: 'sandbox_see_news',
  values: { now: timestamptz },
  columns: { is_there: bool },
  sql: `
    SELECT EXISTS (SELECT FROM sandbox_network.notices)
      OR EXISTS (SELECT FROM sandbox_network.mandates WHERE pauses_at <= :now) AS is_there`,
})
const removeNotices = statement({
  name: 'sandbox_remove_notices',
  values: { ids: arrayOf(text) },
  columns: {},
  sql: 'DELETE FROM sandbox_network.notices WHERE id = ANY(:ids)',
})

/** An instruction that has arrived before: why it was refused, null when it was done. Undefined: it is new. */
export async function refusalOf(queries: Queries, instructionId: string): Promise<string | null | undefined> {
  return (await queries.run(findInstruction, { id: instructionId }))[0]?.refusal
}

/** Keeps how an instruction ended, so that the same one is answered the same. */
export async function keepInstruction(
  queries: Queries,
  { id, agreementId, refusal, at }: { id: string; agreementId: string; refusal: string | null; at: Date },
): Promise<void> {
  await queries.run(writeInstruction, { id, agreement_id: agreementId, refusal, created_at: at })
}

export async function addNotice(queries: Queries, notice: Notice): Promise<void> {
  const { id, agreementId, answer, amendmentId, at } = notice
  await queries.run(writeNotice, {
    id,
    agreement_id: agreementId,
    answer,
    amendment_id: amendmentId,
    created_at: at,
  })
}

/** False where `pausingMandates` and `oldestNotices` would find nothing. */
export async function isSomethingNew(queries: Queries, now: Date): Promise<boolean> {
  return (await queries.run(seeNews, { now }))[0]?.is_there ?? false
}

/** The oldest notices that were not acknowledged. */
export async function oldestNotices(queries: Queries, most: number): Promise<Notice[]> {
  const rows = await queries.run(listNotices, { most })
  return rows.map((row) => ({
    id: row.id,
    agreementId: row.agreement_id,
    answer: row.answer,
    amendmentId: row.amendment_id,
    at: row.created_at,
  }))
}

export async function forgetNotices(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.run(removeNotices, { ids })
}
