import { addDays, dayAt } from '../../src/service/domains/agreements/calendar.ts'
import type { AgreementApi } from './agreement-api.ts'
import type { AgreementBooks } from './agreement-books.ts'

/** Agreements with a payment to collect. */
export interface CollectionDay {
  /** Makes `count` agreements that are due now; returns the ids of those that the merchant is to pay from as well. */
  makeDue: (count: number) => Promise<string[]>
  /** In words, every due day that was not handled as it must be. */
  faults: () => Promise<string[]>
  made: () => number
}

/** The amount of each payment that is collected. */
export const COLLECTED = '5.00'

/** What the debtors of the template agreements do (contract §6.8), in the order in which the statement below uses them. */
const DEBTORS = ['approve', 'late', 'insufficient', 'investigate']
/** Days by which a due day is late: `LATE` is still collected, `TOO_LATE` is skipped (contract §6.5). */
const LATE = 3
const TOO_LATE = 8

/**
 * Makes one agreement for each kind of debtor through the API, then copies it in the database, with other dates, so that thousands
 * are due at once.
 */
export async function openCollectionDay(api: AgreementApi, books: AgreementBooks): Promise<CollectionDay> {
  const templates: string[] = []
  for (const debtor of DEBTORS) {
    templates.push(
      await api.makeActive({
        type: 'recurring',
        debtor,
        start_date: addDays(dayAt(Date.now()), 2),
        payment_terms: { amount_type: 'fixed', amount: COLLECTED, frequency: 'daily', point_in_period: 1 },
      }),
    )
  }
  let made = 0
  return {
    made: () => made,
    async makeDue(count) {
      const today = dayAt(Date.now())
      const values = [
        templates,
        made + 1,
        made + count,
        today,
        addDays(today, -LATE),
        addDays(today, -TOO_LATE),
      ]
      made += count
      return (await books.read<{ id: string }>(copies, values)).map(({ id }) => id)
    },
    async faults() {
      const rows = await books.read<{ fault: string }>(faults, [LATE + 1])
      const [row] = await books.read<{ count: string }>(howMany)
      const lost = made - Number(row?.count)
      return [...rows.map(({ fault }) => fault), ...(lost === 0 ? [] : [`${lost} agreements are lost`])]
    },
  }
}

// Each agreement ends on its last due day, so that it is known which due days it has.
const copies = `
WITH asked AS (
  SELECT substr(md5('due' || n), 1, 24) AS id,
    ($1::text[])[CASE n % 10 WHEN 3 THEN 2 WHEN 4 THEN 3 WHEN 5 THEN 4 ELSE 1 END] AS template_id,
    CASE n % 10 WHEN 0 THEN 'contested' WHEN 1 THEN 'late' WHEN 2 THEN 'too late' ELSE 'today' END AS kind,
    CASE n % 10 WHEN 1 THEN $5::text WHEN 2 THEN $6::text ELSE $4::text END AS first_day,
    CASE n % 10 WHEN 2 THEN $6::text ELSE $4::text END AS last_day
  FROM generate_series($2::integer, $3::integer) AS n
), mandate AS (
  INSERT INTO sandbox_network.mandates
  SELECT copy.* FROM asked JOIN sandbox_network.mandates template ON template.id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object('id', asked.id)) AS copy
), change AS (
  INSERT INTO agreement_changes
  SELECT copy.* FROM asked JOIN agreement_changes template ON template.agreement_id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
    'id', substr(md5(asked.id || template.id), 1, 24), 'agreement_id', asked.id, 'notice_id', null)) AS copy
), agreement AS (
  INSERT INTO agreements
  SELECT copy.* FROM asked JOIN agreements template ON template.id = template_id
  CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
    'id', asked.id, 'reference', kind, 'start_date', first_day, 'end_date', last_day, 'next_due_on', first_day)) AS copy
)
SELECT id FROM asked WHERE kind = 'contested'`

const kinds = "('today', 'contested', 'late', 'too late')"

const howMany = `SELECT count(*) FROM agreements WHERE reference IN ${kinds}`

// A contested agreement is paid once, by the service or by its merchant; where it was the merchant, the history says that nothing
// was collected.
const faults = `
SELECT 'agreement ' || id || ' (' || kind || '): collected ' || collected || ', skipped ' || skipped || ', sent ' || sent AS fault
FROM (
  SELECT a.id, a.reference AS kind, a.next_due_on,
    (SELECT count(DISTINCT due_on) FROM agreement_payments p WHERE p.agreement_id = a.id AND p.due_on IS NOT NULL) AS collected,
    (SELECT count(*) FROM agreement_payments p WHERE p.agreement_id = a.id AND p.due_on IS NULL) AS sent,
    (SELECT count(*) FROM agreement_changes c WHERE c.agreement_id = a.id AND c.type = 'collection_skipped') AS skipped,
    (SELECT count(*) FROM agreement_payments p WHERE p.agreement_id = a.id) AS payments
  FROM agreements a WHERE a.reference IN ${kinds}
) became
WHERE NOT CASE kind
  WHEN 'today' THEN collected = 1 AND skipped = 0 AND sent = 0
  WHEN 'contested' THEN collected + sent = 1 AND skipped = sent
  WHEN 'late' THEN collected = $1::integer AND skipped = 0 AND sent = 0
  ELSE collected = 0 AND skipped = 1 AND sent = 0 END
  OR payments <> collected + sent OR next_due_on IS NOT NULL`
