import { fstatSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicClock } from './platform/clocks.ts'
import { readConfig, readMerchantKey } from './config.ts'
import type { Config } from './config.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import { startDatabaseClock } from './platform/database/database-clock.ts'
import { refuseNewerSchema } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'
import { runningPostgres } from './platform/database/embedded/running-postgres.ts'
import { ServiceError } from './platform/errors.ts'
import { createIds } from './platform/identifiers.ts'
import { createMerchantStore } from './domains/merchants/merchant-store.ts'
import { createMerchants } from './domains/merchants/merchants.ts'
import { createClientStore } from './domains/oauth/clients/client-store.ts'
import { createClients } from './domains/oauth/clients/clients.ts'
import { writeEvent } from './domains/events/write-event.ts'
import { openAdministration } from './domains/users/administration.ts'
import { databaseUrlFault } from './open-database.ts'
import { actor } from './operator/actor.ts'
import { COMMANDS } from './operator/commands.ts'
import { runCall } from './operator/run-call.ts'
import type { OpenContext } from './operator/run-call.ts'
import { masterKeySource } from './platform/vault/key-stores/open-master-keys.ts'
import { keepPrivate } from './processes/keep-private.ts'
import { createTextVault } from './platform/vault/sealed-text.ts'

function databaseOf({ databaseUrl, dataDir }: Config): string {
  const connectionString = databaseUrl ?? runningPostgres(dataDir)
  if (connectionString === null) throw new Error(`${dataDir} holds no database: start the service first`)
  return connectionString
}

/** What commands use of the domains, acting in the operator's name. */
async function domainsOf(config: Config, database: Database) {
  const createId = createIds(await startDatabaseClock(database, monotonicClock))
  const acts = { writeEvent, createId, actor: actor() }
  const { environment, dashboardUrl } = config
  const textVault = createTextVault(masterKeySource(config))
  return {
    users: openAdministration({ database, textVault, dashboardUrl, ...acts }),
    merchants: createMerchants({
      store: createMerchantStore(database, acts),
      vault: textVault,
      createId,
      clock: monotonicClock,
      environment,
    }),
    clients: createClients(createClientStore(database, acts), environment),
  }
}

async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('The key, then Enter and Ctrl-D: ')
  return (await text(process.stdin)).trim()
}

/** What commands work with; throws where the database can't be reached. */
async function openContext(say: (text: string) => void): Promise<OpenContext> {
  const config = readConfig()
  const database = createDatabase({
    connectionString: databaseOf(config),
    connections: 1,
    onIdleError: () => undefined,
  })
  const close = () => database.close()
  try {
    await refuseNewerSchema(database, migrations)
    const domains = await domainsOf(config, database)
    return { context: { config, database, say, readSecret, sleep, ...domains }, close }
  } catch (error) {
    await close()
    throw asStartupFault(error, config)
  }
}

/** A server that can't be reached, in the words in which the service's start says so. */
function asStartupFault(error: unknown, { databaseUrl, dataDir }: Config): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'service_unavailable') return error
  const fault = databaseUrlFault(databaseUrl, error)
  return fault === error ? new Error(`no service runs on ${dataDir}: start it first`) : fault
}

/** A stream of this program, which may be a full disk, or a pipe whose reader has gone: that ends no command halfway. */
function spokenOn(stream: NodeJS.WriteStream & { fd: number }) {
  const failing = new AbortController()
  const fail = (error: unknown) =>
    failing.abort(error instanceof Error && 'code' in error ? error.code : 'unknown')
  stream.on('error', fail)
  const isFile = fstatSync(stream.fd).isFile()
  return {
    /** Aborted at the first text that could not be written, with the system's code as its reason. */
    failed: failing.signal,
    write: (text: string) => {
      if (failing.signal.aborted) return
      try {
        // Node's stream of a file leaves out, without a word, what a disk that fills up does not take.
        if (isFile) writeFileSync(stream.fd, text)
        else stream.write(text)
      } catch (error) {
        fail(error)
      }
    },
    /** Resolves once all of it is written, or nothing more can be. */
    ended: () => new Promise<void>((resolve) => stream.end(() => resolve())),
  }
}

function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping.signal
}

keepPrivate()
const said = spokenOn(process.stdout)
const complained = spokenOn(process.stderr)
process.exitCode = await runCall(process.argv.slice(2), {
  commands: COMMANDS,
  open: () => openContext((text) => said.write(`${text}\n`)),
  remote: {
    version: __SVC_VERSION__,
    readMerchantKey,
    untilStopped: () => AbortSignal.any([untilStopped(), said.failed]),
  },
  say: said.write,
  complain: complained.write,
})
await said.ended()
if (said.failed.aborted) {
  process.exitCode = 1
  // Who has read enough, as `head` does, needs no words.
  if (said.failed.reason !== 'EPIPE')
    complained.write(
      `svc: standard output could not be written (${String(said.failed.reason)}): what the command did is done, and was not shown whole.\n`,
    )
}
