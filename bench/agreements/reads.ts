import * as v from 'valibot'
import type { AgreementsClient } from './agreements-client.ts'
import { quantile } from './api-load.ts'

const TIMES = 60

const Page = v.object({ resource: v.object({ next: v.string() }) })

interface Known {
  agreementIds: readonly string[]
  /** Of the agreement with many payments. */
  paidId: string
  paymentIds: readonly string[]
}

/** Every read of agreements and payments, with each of its filters, one after another: p50 and p95 in ms. */
export async function benchReads(
  client: AgreementsClient,
  known: Known,
  say: (line: string) => void,
): Promise<void> {
  const first = v.parse(Page, JSON.parse(await client.get('/agreements?limit=100')))
  const month = 'created_at.from=2026-06-01T00:00:00Z&created_at.to=2026-07-01T00:00:00Z'
  const paths: Readonly<Record<string, (n: number) => string>> = {
    'GET /agreements/{id}': (n) => `/agreements/${pick(known.agreementIds, n)}`,
    'GET /payments/{id}': (n) => `/payments/${pick(known.paymentIds, n)}`,
    ...listsOf('/agreements', {
      '': '',
      status: 'status=suspended',
      type: 'type=oneoff',
      reference: 'reference=subscription-100',
      'status, type': 'status=cancelled&type=adhoc',
      'status, type, reference': 'status=active&type=adhoc&reference=subscription-100',
      created_at: month,
      'status, created_at': `status=expired&${month}`,
      skip: 'skip=10000',
      cursor: `cursor=${first.resource.next}`,
    }),
    ...listsOf(`/agreements/${known.paidId}/payments`, {
      '': '',
      status: 'status=failed',
      reference: 'reference=invoice-4000',
      created_at: month,
    }),
  }
  for (const [name, path] of Object.entries(paths)) {
    const took: number[] = []
    for (let n = 0; n < TIMES; n += 1) {
      const began = performance.now()
      await client.get(path(n))
      took.push(performance.now() - began)
    }
    say(
      `${name.padEnd(58)}${quantile(took, 0.5).toFixed(1).padStart(6)}${quantile(took, 0.95).toFixed(1).padStart(8)}`,
    )
  }
}

function listsOf(path: string, queries: Readonly<Record<string, string>>): Record<string, () => string> {
  const list = path.replace(/[0-9a-f]{24}/, '{id}')
  return Object.fromEntries(
    Object.entries(queries).map(([by, query]) => [
      `GET ${list}${by === '' ? '' : ` by ${by}`}`,
      () => `${path}?${query}`,
    ]),
  )
}

function pick(ids: readonly string[], n: number): string {
  const id = ids[n % ids.length]
  if (id === undefined) throw new Error('there is nothing to read')
  return id
}
