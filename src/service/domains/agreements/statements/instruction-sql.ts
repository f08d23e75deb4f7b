import { arrayOf, bigint, integer, jsonb, text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { InstructionContent } from '../lifecycle/instruction.ts'
import { AWAITS_PAYMENT, PUT_OFF_BY_RELEASE, lookAgainAt } from './network-order.ts'

const newInstruction = {
  id: text,
  agreement_id: text,
  revision: integer,
  content: jsonb<InstructionContent>(),
  now: timestamptz,
}

/** No row when the agreement has changed since it was read with this revision. */
export const addInstruction = statement({
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

/** The same for an amendment without an answer in time: by its empty time it is not found again. */
export const withdrawAmendment = statement({
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

export const findInstructionOf = statement({
  name: 'find_network_instruction_of_agreement',
  values: { agreement_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM network_instructions WHERE agreement_id = :agreement_id LIMIT 1',
})

/** Nothing of its agreement that came before waits to be told. Ids of one second are in no order. */
export const IS_FIRST = `NOT EXISTS (
  SELECT FROM network_instructions earlier
  WHERE earlier.agreement_id = i.agreement_id AND (earlier.revision, earlier.created_at, earlier.id) < (i.revision, i.created_at, i.id))`

/** The instructions that may be sent now: the first of each agreement, the earliest of each merchant, by one index look-up a merchant. */
export const findDueInstructions = statement({
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

/** Takes those that are still due, each for one process until `taken_until`. What has to wait for a payment is put off instead. */
export const takeInstructions = statement({
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

/** The network has answered it: payments that waited for it are due. */
export const removeInstruction = statement({
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

/** No instruction of the agreement is sent before then: those after this one have to wait for it. */
export const putOffInstructions = statement({
  name: 'put_off_network_instructions',
  values: { agreement_id: text, next_at: timestamptz },
  columns: {},
  sql: 'UPDATE network_instructions SET next_at = :next_at WHERE agreement_id = :agreement_id',
})
