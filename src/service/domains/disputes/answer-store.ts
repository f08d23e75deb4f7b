import type { Task } from '../../platform/concurrency/fairness.ts'
import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bool, jsonb, text, textOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { toKeptAnswer } from './dispute-store.ts'
import type { KeptAnswer } from './dispute-store.ts'
import type { Answer } from './dispute.ts'

/** Keeps an answer of the merchant; while it is `sending` it is sent from now on, by whichever process takes it. */
export async function writeAnswer(queries: Queries, disputeId: string, answer: Answer): Promise<void> {
  await queries.run(updateAnswer, {
    id: disputeId,
    answer: toKeptAnswer(answer),
    is_sending: answer.state === 'sending',
  })
}

/** Answers that are due to be sent, the oldest of each gateway account, to choose from; a task's id is the dispute's. */
export async function findToSend(queries: Queries): Promise<Task[]> {
  const rows = await queries.run(selectToSend, {})
  return rows.map(({ id, merchant_id, gateway_id }) => ({
    id,
    merchantId: merchant_id,
    targetId: gateway_id,
  }))
}

/** Takes those that are still due, for this process alone for two minutes. `isLast`: it was tried for a day. */
export async function takeToSend(
  queries: Queries,
  ids: readonly string[],
): Promise<{ id: string; isLast: boolean }[]> {
  const rows = await queries.run(takeAnswers, { ids })
  return rows.map(({ id, is_last: isLast }) => ({ id, isLast }))
}

/** Lets an answer that did not arrive be sent again after a pause, which grows from two seconds to five minutes. */
export async function putOff(queries: Queries, disputeId: string): Promise<void> {
  await queries.run(putOffAnswer, { id: disputeId })
}

/** What jobs have to do: `send` an answer, `remind` of a deadline. */
export async function dueWork(queries: Queries): Promise<readonly ('send' | 'remind')[]> {
  return (await queries.run(selectDueWork, {})).map(({ work }) => work)
}

const updateAnswer = statement({
  name: 'write_dispute_answer',
  values: { id: text, answer: jsonb<KeptAnswer>(), is_sending: bool },
  columns: {},
  sql: `
    UPDATE disputes SET answer = :answer, updated_at = now(), times_sent = 0, send_after = CASE WHEN :is_sending THEN now() END
    WHERE id = :id`,
})

/** The gateway accounts at which an answer waits, each by one look into the index. */
const ACCOUNTS = `
  accounts (id) AS (
    (SELECT gateway_id FROM disputes WHERE send_after IS NOT NULL ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM disputes WHERE send_after IS NOT NULL AND gateway_id > accounts.id ORDER BY gateway_id LIMIT 1
    ) FROM accounts WHERE accounts.id IS NOT NULL
  )`

const selectToSend = statement({
  name: 'find_dispute_answers_to_send',
  values: {},
  columns: { id: text, merchant_id: text, gateway_id: text },
  sql: `
    WITH RECURSIVE ${ACCOUNTS}
    SELECT due.id, due.merchant_id, due.gateway_id FROM accounts CROSS JOIN LATERAL (
      SELECT id, merchant_id, gateway_id, send_after FROM disputes
      WHERE send_after IS NOT NULL AND gateway_id = accounts.id AND send_after <= now() ORDER BY send_after LIMIT 4
    ) due ORDER BY due.send_after`,
})

/** The pause grows from two seconds to five minutes; it is never shorter than a call may take. */
const takeAnswers = statement({
  name: 'take_dispute_answers',
  values: { ids: arrayOf(text) },
  columns: { id: text, is_last: bool },
  sql: `
    UPDATE disputes SET times_sent = times_sent + 1, send_after = now() + interval '2 minutes'
    WHERE id = ANY (ARRAY(SELECT id FROM disputes WHERE id = ANY (:ids) AND send_after <= now() FOR UPDATE SKIP LOCKED))
    RETURNING id, (answer ->> 'at')::timestamptz <= now() - interval '1 day' AS is_last`,
})

const putOffAnswer = statement({
  name: 'put_off_dispute_answer',
  values: { id: text },
  columns: {},
  sql: `
    UPDATE disputes SET send_after = now() + least(power(2, least(times_sent, 9)), 300) * interval '1 second'
    WHERE id = :id AND send_after IS NOT NULL`,
})

/** One statement for both jobs: mostly there is nothing to do. */
const selectDueWork = statement({
  name: 'see_dispute_work',
  values: {},
  columns: { work: textOf<'send' | 'remind'>() },
  sql: `
    WITH RECURSIVE ${ACCOUNTS}
    SELECT 'send' AS work WHERE EXISTS (
      SELECT FROM accounts CROSS JOIN LATERAL (
        SELECT FROM disputes WHERE send_after IS NOT NULL AND gateway_id = accounts.id AND send_after <= now() LIMIT 1
      ) due)
    UNION ALL
    SELECT 'remind' WHERE EXISTS (SELECT FROM disputes WHERE remind_at IS NOT NULL AND remind_at <= now())`,
})
