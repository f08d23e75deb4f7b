import { fstatSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicClock } from '../platform/clocks.ts'
import { readConfig, readMerchantKey } from '../config.ts'
import type { Config } from '../config.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Database } from '../platform/database/database.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { requireSchema } from '../platform/database/migrate.ts'
import { migrations } from '../platform/database/migrations.ts'
import { runningPostgres } from '../platform/database/embedded/running-postgres.ts'
import { ServiceError } from '../platform/errors.ts'
import { createIds } from '../platform/identifiers.ts'
import { createMerchants } from '../domains/merchants/merchants.ts'
import { createClients } from '../domains/oauth/clients.ts'
import { openAdministration } from '../domains/users/administration.ts'
import { databaseUrlFault } from '../open-database.ts'
import { masterKeySource } from '../platform/vault/key-stores/open-master-keys.ts'
import { createTextVault } from '../platform/vault/vault.ts'
import { keepPrivate } from '../processes/keep-private.ts'
import { runService } from '../run-service.ts'
import { actor } from './command.ts'
import { SCHEMA_CONNECTIONS } from './schema.ts'
import { callSvc } from './svc-program.ts'
import type { OpenContext } from './svc-program.ts'

function databaseOf({ databaseUrl, dataDir }: Config): string {
  const connectionString = databaseUrl ?? runningPostgres(dataDir)
  if (connectionString === null)
    throw new Error(
      `SVC_DATABASE_URL is not set, and ${dataDir} holds no database: set it, or run npm start first`,
    )
  return connectionString
}

/** What commands use of the domains, acting in the operator's name. */
async function domainsOf(config: Config, database: Database) {
  const createId = createIds(await startDatabaseClock(database, monotonicClock))
  const acts = { createId, actor: actor() }
  const { environment, dashboardUrl } = config
  const textVault = createTextVault(masterKeySource(config))
  return {
    textVault,
    users: openAdministration({ database, dashboardUrl, ...acts }),
    merchants: createMerchants({ database, textVault, clock: monotonicClock, environment, ...acts }),
    clients: createClients({ database, environment, ...acts }),
  }
}

async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('The key, then Enter and Ctrl-D: ')
  return (await text(process.stdin)).trim()
}

/** Does something with the database of these settings. If that can't be used, the fault says where it was looked for. */
async function withDatabase<Result>(
  config: Config,
  connections: number,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connectionString = databaseOf(config)
  const database = createDatabase({ connectionString, connections, onIdleError: () => undefined })
  try {
    return await work(database)
  } catch (error) {
    await database.close()
    throw asStartupFault(error, config)
  }
}

/** What commands work with; throws where the database can't be reached, or has another schema than this version. */
function openContext(): Promise<OpenContext> {
  const config = readConfig()
  return withDatabase(config, 1, async (database) => {
    await requireSchema(database, migrations)
    const domains = await domainsOf(config, database)
    return { context: { config, database, readSecret, sleep, ...domains }, close: () => database.close() }
  })
}

function onAnySchema(work: (database: Database) => Promise<void>): Promise<void> {
  return withDatabase(readConfig(), SCHEMA_CONNECTIONS, async (database) => {
    await work(database)
    await database.close()
  })
}

/** A server that can't be reached, in the words in which the service's start says so. */
function asStartupFault(error: unknown, { databaseUrl, dataDir }: Config): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'service_unavailable') return error
  const fault = databaseUrlFault(databaseUrl, error)
  return fault === error ? new Error(`no service runs on ${dataDir}: start it first`) : fault
}

/**
 * A stream of this program, which may be a full disk, or a pipe whose reader has gone: that ends no command halfway. It is opened for the
 * first text, so never in a process that runs the service, whose end would wait until such a stream is read.
 */
function spokenOn(nameOfStream: 'stdout' | 'stderr') {
  const failing = new AbortController()
  const fail = (error: unknown) =>
    failing.abort(error instanceof Error && 'code' in error ? error.code : 'unknown')
  let opened: { stream: NodeJS.WriteStream & { fd: number }; isFile: boolean } | undefined
  const open = () => {
    const stream = process[nameOfStream]
    stream.on('error', fail)
    return (opened = { stream, isFile: fstatSync(stream.fd).isFile() })
  }
  return {
    /** Aborted at the first text that could not be written, with the system's code as its reason. */
    failed: failing.signal,
    write: (words: string) => {
      if (failing.signal.aborted) return
      const { stream, isFile } = opened ?? open()
      try {
        // Node's stream of a file leaves out, without a word, what a disk that fills up does not take.
        if (isFile) writeFileSync(stream.fd, words)
        else stream.write(words)
      } catch (error) {
        fail(error)
      }
    },
    /** Resolves once all of it is written, or nothing more can be. */
    ended: () =>
      new Promise<void>((resolve) => {
        if (opened === undefined) resolve()
        else opened.stream.end(() => resolve())
      }),
  }
}

function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping.signal
}

/** Runs one call of `svc` in this process, whose exit code it sets. `rootDir`: the folder that holds `dist` and `releases`; `remark`: said first. */
export async function runSvc(words: readonly string[], rootDir: string): Promise<void> {
  keepPrivate()
  const said = spokenOn('stdout')
  const complained = spokenOn('stderr')
  const code = await callSvc(words, {
    open: openContext,
    schema: { migrations, onDatabase: onAnySchema },
    start: ({ migrates }) => runService({ rootDir, ownDatabase: null, migrates }),
    remote: {
      version: __SVC_VERSION__,
      readMerchantKey,
      untilStopped: () => AbortSignal.any([untilStopped(), said.failed]),
    },
    say: said.write,
    complain: complained.write,
  })
  if (code === null) return
  process.exitCode = code
  await said.ended()
  if (!said.failed.aborted) return
  process.exitCode = 1
  // Who has read enough, as `head` does, needs no words.
  if (said.failed.reason !== 'EPIPE')
    complained.write(
      `svc: standard output could not be written (${String(said.failed.reason)}): what the command did is done, and was not shown whole.\n`,
    )
}
