import pg from 'pg'

/** Where the service's books and the sandbox gateway's own ledger differ, in words; empty when they agree. */
export async function differencesOf(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ difference: string }>(comparison)
    return rows.map(({ difference }) => difference)
  } finally {
    await client.end()
  }
}

/** Attempts that have no outcome yet. */
export async function openAttempts(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query("SELECT id FROM attempts WHERE outcome = 'open'")
    return rows.length
  } finally {
    await client.end()
  }
}

/** Statuses of charges by id. */
export async function statusesOf(connectionString: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; status: string }>('SELECT id, status FROM charges')
    return new Map(rows.map(({ id, status }) => [id, status]))
  } finally {
    await client.end()
  }
}

// An attempt and its entry must say the same; each hold must have been settled by exactly what its charge says.
const comparison = `
SELECT 'attempt ' || coalesce(a.id, o.attempt_id) || ': service ' || coalesce(a.outcome, 'none') ||
       ', ledger ' || coalesce(o.result, 'none') AS difference
FROM attempts a FULL JOIN sandbox_gateway.operations o ON o.attempt_id = a.id
WHERE a.outcome IS DISTINCT FROM o.result
  AND NOT (a.outcome = 'unreachable' AND o.result IS NULL)
UNION ALL
SELECT 'charge ' || c.id || ': service ' || c.status || ', hold ' || coalesce(h.state, 'none')
FROM charges c JOIN attempts s ON s.charge_id = c.id AND s.type = 'sale'
LEFT JOIN sandbox_gateway.holds h ON h.id = s.id
WHERE coalesce(h.state, 'none') <> CASE c.status
  WHEN 'pending' THEN 'held' WHEN 'complete' THEN 'captured' WHEN 'refunded' THEN 'captured' WHEN 'cancelled' THEN 'voided' ELSE 'none' END
UNION ALL
SELECT 'charge ' || c.id || ': service took ' || k.amount || ', ledger ' || h.captured
FROM charges c JOIN attempts k ON k.charge_id = c.id AND k.outcome = 'approved'
  AND (k.type = 'capture' OR (k.type = 'sale' AND NOT c.pre_auth))
JOIN attempts s ON s.charge_id = c.id AND s.type = 'sale'
JOIN sandbox_gateway.holds h ON h.id = s.id
WHERE h.captured <> k.amount
UNION ALL
SELECT 'hold ' || hold_id || ' was captured ' || count(*) || ' times'
FROM sandbox_gateway.operations WHERE kind = 'capture' AND result = 'approved'
GROUP BY hold_id HAVING count(*) > 1`
