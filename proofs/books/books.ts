import pg from 'pg'

/** What the service's tables and the sandbox gateway's own ledger say; each answer is read from one snapshot. */
export interface Books {
  /** Where the two differ, in words; empty when they agree on all that has an outcome. */
  differences: () => Promise<string[]>
  /** Every movement that took place (its order, kind and cents in one line), and how often it did. */
  movements: () => Promise<Map<string, number>>
  /** The status of each order's charge. */
  statuses: () => Promise<Map<string, string>>
  /** Ids of the events of charges. */
  events: () => Promise<string[]>
  /** Attempts that have no outcome yet. */
  openAttempts: () => Promise<number>
}

/** Each question has a connection of its own, as the server is restarted between them. */
export function openBooks(connectionString: string): Books {
  const read = async <Row extends object>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
  return {
    differences: async () =>
      (await read<{ difference: string }>(comparison)).map(({ difference }) => difference),
    async movements() {
      const rows = await read<{ movement: string; times: string }>(
        `SELECT c.reference || ' ' || a.type || ' ' || a.amount AS movement, count(*) AS times
         FROM attempts a JOIN charges c ON c.id = a.charge_id WHERE a.outcome = 'approved' GROUP BY 1`,
      )
      return new Map(rows.map(({ movement, times }) => [movement, Number(times)]))
    },
    async statuses() {
      const rows = await read<{ reference: string; status: string }>(
        'SELECT reference, status FROM charges WHERE reference IS NOT NULL',
      )
      return new Map(rows.map(({ reference, status }) => [reference, status]))
    },
    events: async () =>
      (await read<{ id: string }>("SELECT id FROM events WHERE type LIKE 'charge.%'")).map(({ id }) => id),
    openAttempts: async () => (await read("SELECT id FROM attempts WHERE outcome = 'open'")).length,
  }
}

// One statement reads one snapshot, so that it is right while clients are at work. An attempt with an outcome and its
// entry in the ledger must agree; where no movement of a charge is under way, its hold must be what the charge says, to the cent.
const comparison = `
SELECT 'attempt ' || coalesce(a.id, o.attempt_id) || ': service ' || coalesce(a.outcome, 'none') ||
       ', ledger ' || coalesce(o.result, 'none') AS difference
FROM attempts a FULL JOIN sandbox_gateway.operations o ON o.attempt_id = a.id
WHERE a.outcome IS DISTINCT FROM o.result AND a.outcome IS DISTINCT FROM 'open'
  AND NOT (a.outcome = 'unreachable' AND o.result IS NULL)
UNION ALL
SELECT 'charge ' || c.id || ': service ' || c.status || ', hold ' || coalesce(h.state, 'none')
FROM charges c JOIN attempts s ON s.charge_id = c.id AND s.type = 'sale'
LEFT JOIN sandbox_gateway.holds h ON h.id = s.id
WHERE c.open_attempt_id IS NULL AND coalesce(h.state, 'none') <> CASE c.status
  WHEN 'pending' THEN 'held' WHEN 'complete' THEN 'captured' WHEN 'refunded' THEN 'captured' WHEN 'cancelled' THEN 'voided' ELSE 'none' END
UNION ALL
SELECT 'charge ' || c.id || ': service took ' || sum(k.amount) || ', ledger ' || h.captured
FROM charges c JOIN attempts k ON k.charge_id = c.id AND k.outcome = 'approved'
  AND (k.type = 'capture' OR (k.type = 'sale' AND NOT c.pre_auth))
JOIN attempts s ON s.charge_id = c.id AND s.type = 'sale'
JOIN sandbox_gateway.holds h ON h.id = s.id
WHERE c.open_attempt_id IS NULL GROUP BY c.id, h.captured HAVING h.captured <> sum(k.amount)
UNION ALL
SELECT 'charge ' || c.id || ': service gave back ' || coalesce(sum(r.amount), 0) || ', ledger ' || h.refunded
FROM charges c JOIN attempts s ON s.charge_id = c.id AND s.type = 'sale'
JOIN sandbox_gateway.holds h ON h.id = s.id
LEFT JOIN attempts r ON r.charge_id = c.id AND r.type = 'refund' AND r.outcome = 'approved'
WHERE c.open_attempt_id IS NULL GROUP BY c.id, h.refunded HAVING h.refunded <> coalesce(sum(r.amount), 0)
UNION ALL
SELECT 'hold ' || hold_id || ' was ' || kind || 'd ' || count(*) || ' times'
FROM sandbox_gateway.operations WHERE kind IN ('sale', 'capture', 'cancel') AND result = 'approved'
GROUP BY hold_id, kind HAVING count(*) > 1`
