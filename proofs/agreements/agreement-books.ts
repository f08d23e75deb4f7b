import pg from 'pg'

/** What the service's tables of agreements and the sandbox network's own tables say; each answer is read from one snapshot. */
export interface AgreementBooks {
  /** Where the two differ, or a limit or a history is broken, in words; empty when nothing is wrong. */
  differences: () => Promise<string[]>
  /** Where agreements and mandates differ. They agree only when no instruction and no notice is on its way. */
  mandateDifferences: () => Promise<string[]>
  /** The references of what the merchant has sent, and how often the service and the ledger have each. */
  sentPayments: () => Promise<Map<string, { service: number; ledger: number }>>
  /** Payments without an end, agreements with a due day that has come, and instructions and notices on their way. */
  unfinished: (today: string) => Promise<number>
  /** Ids of the events of agreements and payments. */
  events: () => Promise<string[]>
  /** Ids of agreements, and how many payments of each their banks refused as not active: heard of in another order than ours. */
  outOfOrder: () => Promise<Map<string, number>>
  /** How many payments each agreement has. */
  payments: () => Promise<Map<string, number>>
  /** How many payments the service has collected, how many due days it has skipped, and for how many payments it had to ask for the outcome. */
  figures: () => Promise<{ collected: number; askedAfter: number; skipped: number }>
  /** Makes what a killed process has left a minute older: its leases, and requests that were cut off. */
  passMinute: () => Promise<void>
  /** The rows of a statement; `values` are its parameters, in their order. */
  read: <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>
}

export function openAgreementBooks(connectionString: string): AgreementBooks {
  const read = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return (await client.query<Row>(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const wordsOf = async (sql: string) =>
    (await read<{ difference: string }>(sql)).map(({ difference }) => difference)
  const counts = async (where: string) => {
    const rows = await read<{ agreement_id: string; count: string }>(
      `SELECT agreement_id, count(*) FROM agreement_payments ${where} GROUP BY agreement_id`,
    )
    return new Map(rows.map((row) => [row.agreement_id, Number(row.count)]))
  }
  return {
    read,
    differences: () => wordsOf(comparison),
    mandateDifferences: () => wordsOf(mandateComparison),
    async sentPayments() {
      const rows = await read<{ reference: string; service: string; ledger: string }>(sent)
      return new Map(
        rows.map(({ reference, service, ledger }) => [
          reference,
          { service: Number(service), ledger: Number(ledger) },
        ]),
      )
    },
    unfinished: async (today) =>
      Number((await read<{ count: string }>(unfinished, [today]))[0]?.count ?? Number.NaN),
    events: async () =>
      (
        await read<{ id: string }>(
          "SELECT id FROM events WHERE type LIKE 'agreement.%' OR type LIKE 'payment.%' " +
            "UNION ALL SELECT id FROM event_outbox WHERE type LIKE 'agreement.%' OR type LIKE 'payment.%'",
        )
      ).map(({ id }) => id),
    outOfOrder: () => counts("WHERE failure->>'code' = 'agreement_not_active'"),
    payments: () => counts(''),
    async figures() {
      const [row] = await read<{ collected: string; asked_after: string; skipped: string }>(figures)
      return {
        collected: Number(row?.collected),
        askedAfter: Number(row?.asked_after),
        skipped: Number(row?.skipped),
      }
    },
    async passMinute() {
      for (const sql of minute) await read(sql)
    },
  }
}

// One statement, one snapshot, so that it can be asked while merchants are at work. A payment with an outcome and its entry in the
// ledger must say the same, and the ledger may hold no other. Every change of an agreement is in its history but for a due day that
// was collected, which is a payment.
const comparison = `
SELECT 'payment ' || coalesce(p.id, l.id) || ': service ' || coalesce(p.status || coalesce(' ' || (p.failure->>'code'), ''), 'none') ||
       ', ledger ' || coalesce(l.verdict, 'none') AS difference
FROM agreement_payments p FULL JOIN sandbox_network.payments l ON l.id = p.id
WHERE p.id IS NULL OR p.status = 'received' AND l.id IS NOT NULL
   OR p.status = 'settled' AND l.verdict IS DISTINCT FROM 'settled'
   OR p.status = 'under_investigation' AND l.investigated_until IS NULL
   OR p.status = 'failed' AND l.verdict IS DISTINCT FROM p.failure->>'code'
   OR l.id IS NOT NULL AND (l.amount, l.agreement_id, l.reference) IS DISTINCT FROM (p.amount, p.agreement_id, p.reference)
UNION ALL
SELECT 'agreement ' || id || ': revision ' || revision || ', history of ' || changes || ', collected ' || collected
FROM (
  SELECT a.id, a.revision,
    (SELECT count(*) FROM agreement_changes c WHERE c.agreement_id = a.id) AS changes,
    (SELECT count(*) FROM agreement_payments p WHERE p.agreement_id = a.id AND p.due_on IS NOT NULL) AS collected
  FROM agreements a
) told WHERE revision + 1 <> changes + collected
UNION ALL
SELECT 'agreement ' || a.id || ' is ' || a.status || ', its history says ' || (c.facts->>'status')
FROM agreements a CROSS JOIN LATERAL (
  SELECT facts FROM agreement_changes WHERE agreement_id = a.id ORDER BY revision DESC LIMIT 1
) c WHERE c.facts->>'status' <> a.status OR (c.facts->>'version')::integer <> a.version`

const mandateComparison = `
SELECT 'agreement ' || a.id || ' is ' || a.status || coalesce(' by ' || a.suspended_by, '') ||
       ', its mandate ' || coalesce(m.status || coalesce(' by ' || m.suspended_by, ''), 'none') AS difference
FROM agreements a LEFT JOIN sandbox_network.mandates m ON m.id = a.id WHERE m.status IS DISTINCT FROM a.status
   OR (a.pending_amendment IS NULL) <> (m.pending_amendment IS NULL)`

const sent = `
SELECT p.reference, count(*) AS service, count(l.id) AS ledger
FROM agreement_payments p LEFT JOIN sandbox_network.payments l ON l.id = p.id
WHERE p.due_on IS NULL GROUP BY p.reference`

const unfinished = `
SELECT (SELECT count(*) FROM agreement_payments WHERE status NOT IN ('settled', 'failed'))
     + (SELECT count(*) FROM agreements WHERE status = 'active' AND next_due_on <= $1)
     + (SELECT count(*) FROM network_instructions) + (SELECT count(*) FROM sandbox_network.notices) AS count`

const figures = `
SELECT (SELECT count(*) FROM agreement_payments WHERE due_on IS NOT NULL) AS collected,
       (SELECT count(*) FROM agreement_payments WHERE attempts > 1) AS asked_after,
       (SELECT count(*) FROM agreement_changes WHERE type = 'collection_skipped') AS skipped`

const minute = [
  `UPDATE agreement_payments SET next_at = next_at - interval '1 minute' WHERE status IN ('processing', 'under_investigation')`,
  `UPDATE network_instructions SET next_at = next_at - interval '1 minute'`,
  `UPDATE webhook_deliveries SET next_at = next_at - interval '1 minute' WHERE next_at IS NOT NULL`,
  `UPDATE idempotent_requests SET begun_at = begun_at - interval '1 minute' WHERE answer IS NULL`,
]
