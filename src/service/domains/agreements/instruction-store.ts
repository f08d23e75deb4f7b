import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, integer, jsonb, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Agreement } from './agreement.ts'
import type { InstructionContent, NewInstruction } from './instruction.ts'
import { AWAITS_PAYMENT, IS_FIRST, PUT_OFF_BY_RELEASE, lookAgainAt } from './network-order.ts'

/** A process has an instruction to itself for this long: longer than a call to the network may take. */
const LEASE_MS = 60_000

/** An instruction that is due, as a task of a pool. Its target is its merchant, whose share of the network it uses. */
export interface DueInstruction {
  id: string
  merchantId: string
  targetId: string
}

/** An instruction that this process has taken to send it. */
export interface TakenInstruction extends NewInstruction {
  agreementId: string
  merchantId: string
  /** The attempts so far, this one included. */
  attempts: number
}

const newInstruction = {
  id: text,
  agreement_id: text,
  revision: integer,
  content: jsonb<InstructionContent>(),
  now: timestamptz,
}

/** Adds no row if the agreement has changed since it was read with this revision. */
const instructionToAdd = statement({
  name: 'add_network_instruction',
  values: newInstruction,
  columns: { id: text },
  sql: `
    WITH unchanged AS (
      SELECT id, merchant_id, revision FROM agreements
      WHERE id = :agreement_id AND revision = :revision FOR NO KEY UPDATE
    )
    INSERT INTO network_instructions (id, agreement_id, merchant_id, revision, content, next_at, created_at)
    SELECT :id, id, merchant_id, revision, :content, :now, :now FROM unchanged RETURNING id`,
})

/** Likewise for an amendment without an answer in time. Its time is emptied, so that it is not found again. */
const withdrawalToAdd = statement({
  name: 'withdraw_amendment',
  values: newInstruction,
  columns: {},
  sql: `
    WITH unanswered AS (
      UPDATE agreements SET amendment_required_by = NULL
      WHERE id = :agreement_id AND revision = :revision AND amendment_required_by IS NOT NULL
      RETURNING id, merchant_id, revision
    )
    INSERT INTO network_instructions (id, agreement_id, merchant_id, revision, content, next_at, created_at)
    SELECT :id, id, merchant_id, revision, :content, :now, :now FROM unanswered`,
})

const findInstructionOf = statement({
  name: 'find_network_instruction_of_agreement',
  values: { agreement_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM network_instructions WHERE agreement_id = :agreement_id LIMIT 1',
})

/** The first instruction of each agreement, per merchant the earliest of them, by one index look-up a merchant. */
const dueInstructions = statement({
  name: 'find_due_network_instructions',
  values: { most: bigint, now: timestamptz },
  columns: { id: text, merchant_id: text },
  sql: `
    WITH RECURSIVE waiting AS (
      (SELECT merchant_id FROM network_instructions ORDER BY merchant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT min(merchant_id) FROM network_instructions WHERE merchant_id > waiting.merchant_id)
      FROM waiting WHERE waiting.merchant_id IS NOT NULL
    )
    SELECT due.id, due.merchant_id FROM waiting CROSS JOIN LATERAL (
      SELECT i.id, i.merchant_id FROM network_instructions i
      WHERE i.merchant_id = waiting.merchant_id AND i.next_at <= :now AND ${IS_FIRST}
      ORDER BY i.next_at LIMIT :most
    ) due`,
})

/** Takes those that are still due, for this process until `taken_until`. Puts off those that wait for a payment. */
const instructionsToTake = statement({
  name: 'take_network_instructions',
  values: { ids: arrayOf(text), now: timestamptz, taken_until: timestamptz },
  columns: {
    id: text,
    agreement_id: text,
    merchant_id: text,
    content: jsonb<InstructionContent>(),
    attempts: integer,
  },
  sql: `
    WITH due AS (
      SELECT i.id, ${AWAITS_PAYMENT} AS awaits FROM network_instructions i
      WHERE i.id = ANY (:ids::text[]) AND i.next_at <= :now AND ${IS_FIRST} FOR UPDATE OF i SKIP LOCKED
    ), put_off AS (
      UPDATE network_instructions i SET next_at = ${lookAgainAt('i.created_at')}
      FROM due WHERE i.id = due.id AND due.awaits
    )
    UPDATE network_instructions i SET attempts = attempts + 1, next_at = :taken_until
    FROM due WHERE i.id = due.id AND NOT due.awaits
    RETURNING i.id, i.agreement_id, i.merchant_id, i.content, i.attempts`,
})

const instructionToRemove = statement({
  name: 'remove_network_instruction',
  values: { id: text, now: timestamptz },
  columns: {},
  sql: `
    WITH settled AS (
      DELETE FROM network_instructions WHERE id = :id RETURNING agreement_id, content->>'kind' AS kind
    ), waiting AS (
      SELECT p.id FROM settled JOIN agreement_payments p ON ${PUT_OFF_BY_RELEASE} FOR UPDATE OF p SKIP LOCKED
    )
    UPDATE agreement_payments p SET next_at = :now FROM waiting WHERE p.id = waiting.id`,
})

const instructionsToPutOff = statement({
  name: 'put_off_network_instructions',
  values: { agreement_id: text, next_at: timestamptz },
  columns: {},
  sql: 'UPDATE network_instructions SET next_at = :next_at WHERE agreement_id = :agreement_id',
})

/** Adds an instruction about an agreement as it was read; false if the agreement has changed since. */
export async function addInstruction(
  queries: Queries,
  { id: agreementId, revision }: Pick<Agreement, 'id' | 'revision'>,
  { id, content }: NewInstruction,
  now: Date,
): Promise<boolean> {
  const values = { id, agreement_id: agreementId, revision, content, now }
  return (await queries.run(instructionToAdd, values)).length > 0
}

/**
 * Asks the bank once to withdraw the pending amendment of an agreement as it was read. The agreement stays as it is until the bank has
 * answered.
 */
export async function withdrawAmendment(
  queries: Queries,
  { id: agreementId, revision, pendingAmendment }: Agreement,
  id: string,
  now: Date,
): Promise<void> {
  if (pendingAmendment === null) return
  const content = { kind: 'withdraw_amendment', amendmentId: pendingAmendment.id } as const
  await queries.run(withdrawalToAdd, { id, agreement_id: agreementId, revision, content, now })
}

/** Whether an instruction about the agreement still waits for the network's answer. */
export async function isInstructionWaiting(queries: Queries, agreementId: string): Promise<boolean> {
  return (await queries.run(findInstructionOf, { agreement_id: agreementId })).length > 0
}

/** Instructions that may be sent now, `most` of each merchant. */
export async function findDueInstructions(
  queries: Queries,
  most: number,
  now: Date,
): Promise<DueInstruction[]> {
  const rows = await queries.run(dueInstructions, { most, now })
  return rows.map(({ id, merchant_id: merchantId }) => ({ id, merchantId, targetId: merchantId }))
}

/** Takes those that no other process has taken. */
export async function takeInstructions(
  queries: Queries,
  ids: readonly string[],
  now: Date,
): Promise<TakenInstruction[]> {
  const until = new Date(now.getTime() + LEASE_MS)
  const rows = await queries.run(instructionsToTake, { ids, now, taken_until: until })
  return rows.map(({ agreement_id: agreementId, merchant_id: merchantId, ...row }) => ({
    ...row,
    agreementId,
    merchantId,
  }))
}

/** Removes an instruction that the network has answered. Payments that waited for it are due. */
export async function removeInstruction(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.run(instructionToRemove, { id, now })
}

/** Puts off all instructions of an agreement: the later ones wait for the first. */
export async function putOffInstructions(queries: Queries, agreementId: string, until: Date): Promise<void> {
  await queries.run(instructionsToPutOff, { agreement_id: agreementId, next_at: until })
}
