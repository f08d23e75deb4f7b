import { setTimeout as sleep } from 'node:timers/promises'
import { openReading } from '../dashboard/reading.ts'
import type { Bed } from './lists.ts'
import { openWatch } from './watch.ts'

const QUIET_MS = 10_000

/** SQL that counts what the jobs that erase and delete would find. */
const OLD = "<= now() - interval '30 days'"
const JOBS: Readonly<Record<string, string>> = {
  'erase expired tokens': `SELECT count(*)::int AS rows FROM payment_source_tokens WHERE expires_at ${OLD}`,
  'forget old requests': `SELECT count(*)::int AS rows FROM attempts WHERE request_key IS NOT NULL AND created_at ${OLD}`,
  'forget old checkout requests': `SELECT count(*)::int AS rows FROM checkout_intents WHERE request_key IS NOT NULL AND created_at ${OLD}`,
  'delete old deliveries': `SELECT count(*)::int AS rows FROM webhook_deliveries WHERE next_at IS NULL AND created_at ${OLD}`,
}

/** How long a day's erasing and deleting takes, and how long charges take meanwhile. */
export async function measureRetention(bed: Bed, say: (line: string) => void): Promise<void> {
  const reading = await openReading(bed.connectionString)
  const { watch, stop } = await openWatch(bed, say)
  await watch('nothing else', () => sleep(QUIET_MS, ''))
  for (const [name, query] of Object.entries(JOBS)) {
    const count = async () => (await reading.client.query<{ rows: number }>(query)).rows[0]?.rows ?? 0
    const before = await count()
    await watch(name, async () => {
      await reading.service.jobs.find((job) => job.name === name)?.work()
      return ''
    })
    say(`${name}: ${String(before)} rows, ${String(await count())} left`)
  }
  await stop()
  await reading.close()
}
