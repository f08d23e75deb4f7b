import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { pairOfStatements, TOKENS_PER_CLIENT } from './pair-of-statements.ts'
import { paceFrom } from './pace.ts'
import type { Pace } from './pace.ts'

/** PostgreSQL's own benchmark, which runs the statements of an authorisation and a capture and does nothing else. */
export interface Pgbench {
  pace: (clients: number, seconds: number) => Promise<Pace>
}

/** Null where PostgreSQL's client programs are not installed. `merchantId`: whose charges they are; no such merchant has to exist. */
export function createPgbench(connectionString: string, merchantId = 'bare'): Pgbench | null {
  const program = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pgbench'))
  const path = program.find((file) => existsSync(file))
  if (path === undefined) return null
  // Starts at the time, so that the tokens of an earlier program in the same database are not used again.
  let runs = Math.floor(Date.now() / 1000) % 10_000_000
  return {
    async pace(clients, seconds) {
      const folder = mkdtempSync(join(tmpdir(), 'svc-pgbench-'))
      runs += 1
      const { script, variables } = pairOfStatements(runs, merchantId)
      writeFileSync(join(folder, 'pair.sql'), script)
      await writeTokens(connectionString, { run: runs, clients, merchantId })
      const settings = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
      const load = ['-c', String(clients), '-j', String(Math.min(clients, 2)), '-T', String(seconds)]
      const how = ['-n', '-M', 'prepared', '-f', 'pair.sql', '--log', '--log-prefix', 'took']
      await succeed(path, [...how, ...load, ...settings, connectionString], folder)
      const took = readdirSync(folder)
        .filter((name) => name.startsWith('took'))
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
        .map((line) => Number(line.split(' ')[2]) / 1000)
      rmSync(folder, { recursive: true })
      return paceFrom(took, seconds)
    },
  }
}

/** Tokenising is not measured: as many tokens as the clients could spend are written beforehand. */
async function writeTokens(
  connectionString: string,
  { run, clients, merchantId }: { run: number; clients: number; merchantId: string },
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    `INSERT INTO payment_source_tokens
       (token_hash, merchant_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, expires_at)
     SELECT decode(lpad((($1::bigint * 100 + client) * 1000000 + n)::text, 64, '0'), 'hex'), $4, 'k',
            decode(repeat('5a', 60), 'hex'), decode(repeat('5a', 44), 'hex'), decode(repeat('5a', 31), 'hex'),
            '{"card_name": "Grace"}', now() + interval '3 hours'
     FROM generate_series(0, $2 - 1) client, generate_series(1, $3) n`,
    [run, clients, Math.ceil(TOKENS_PER_CLIENT / Math.sqrt(clients)), merchantId],
  )
  await client.query('ANALYZE payment_source_tokens')
  await client.end()
}

async function succeed(program: string, parameters: string[], cwd: string): Promise<void> {
  const child = spawn(program, parameters, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0 || /error|aborted/i.test(words)) throw new Error(`pgbench: ${words.slice(0, 600)}`)
}
