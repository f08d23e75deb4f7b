import { Command, Option } from '@commander-js/extra-typings'
import { checkServer, checkTables } from '../platform/database/check-server.ts'
import type { Database } from '../platform/database/database.ts'
import { migrate, refuseOtherSchema, schemaSteps } from '../platform/database/migrate.ts'
import type { Migration, SchemaStep } from '../platform/database/migrate.ts'
import { exampleText, JSON_OPTION } from './command.ts'
import type { Format, Output } from './command.ts'

/** A step may make indexes beside the transaction that keeps other processes from it. */
export const SCHEMA_CONNECTIONS = 2

/** What `svc migrate` works on. */
export interface Schema {
  migrations: readonly Migration[]
  /** Calls the work with the database, whatever schema it has, and closes it. Throws where it can't be reached. */
  onDatabase: (work: (database: Database) => Promise<void>) => Promise<void>
}

export function migrateCommand({ migrations, onDatabase }: Schema, output: Output) {
  return new Command('migrate')
    .summary("bring the database's schema up to this version")
    .description(
      "Brings the database's schema up to this version, beside running services. Several at once do no harm: each step is run by one of them.",
    )
    .option('--status', 'list every step, with its state and when it was run; change nothing')
    .addOption(
      new Option('--dry-run', 'list the steps that would be run; change nothing').conflicts('status'),
    )
    .addOption(
      new Option('--verbose', 'with --dry-run: show their statements, too')
        .implies({ dryRun: true })
        .conflicts('status'),
    )
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc migrate --status'))
    .action(({ status, dryRun, verbose, json }) =>
      onDatabase(async (database) => {
        if (status === true) showSteps(await schemaSteps(database, migrations), { json }, output)
        else if (dryRun === true)
          showPending(await pendingSteps(database, migrations), { json }, verbose === true, output)
        else await bringUpToDate(database, migrations, { json }, output)
      }),
    )
}

function showSteps(steps: readonly SchemaStep[], format: Format, output: Output): void {
  const of = (state: SchemaStep['state']) => steps.filter((step) => step.state === state).length
  const width = Math.max(...steps.map(({ version }) => version.length))
  output.show(
    format,
    { steps: steps.map(documentOf) },
    steps.map(({ version, state, appliedAt }) =>
      `${version.padEnd(width)}  ${state.padEnd(7)}  ${appliedAt?.toISOString() ?? ''}`.trimEnd(),
    ),
  )
  output.note(`Applied: ${String(of('applied'))}. Pending: ${String(of('pending'))}.`)
  if (of('unknown') > 0)
    output.note(`Of a newer version: ${String(of('unknown'))}. This one can't serve on this database.`)
}

async function pendingSteps(database: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  await refuseOtherSchema(database, migrations)
  const steps = await schemaSteps(database, migrations)
  const names = new Set(steps.flatMap(({ version, state }) => (state === 'pending' ? [version] : [])))
  return migrations.filter(({ version }) => names.has(version))
}

function showPending(
  pending: readonly Migration[],
  format: Format,
  isVerbose: boolean,
  output: Output,
): void {
  const linesOf = (version: string, sql: string) => [`-- ${version}`, ...sql.trim().split('\n'), '']
  output.show(
    format,
    { steps: pending.map(({ version, sql }) => ({ name: version, ...(isVerbose ? { sql } : {}) })) },
    pending.flatMap(({ version, sql }) => (isVerbose ? linesOf(version, sql) : [version])),
  )
  output.note(`Steps that would be run: ${String(pending.length)}. Nothing was changed.`)
}

async function bringUpToDate(
  database: Database,
  migrations: readonly Migration[],
  format: Format,
  output: Output,
): Promise<void> {
  for (const words of await checkServer(database, SCHEMA_CONNECTIONS)) output.note(words)
  const done: string[] = []
  let waiting = ''
  await migrate(database, migrations, (version, event) => {
    if (event === 'waits' && version !== waiting)
      output.note(`${version} waits until somebody else's transaction lets go of its tables.`)
    if (event === 'waits') waiting = version
    else {
      done.push(version)
      if (format.json !== true) output.line(version)
    }
  })
  await checkTables(database, migrations)
  output.show(format, { applied: done }, [
    done.length === 0
      ? `The schema is up to date: ${migrations.at(-1)?.version ?? ''}.`
      : `The schema is up to date. Steps that were run: ${String(done.length)}.`,
  ])
}

const documentOf = ({ version, state, appliedAt }: SchemaStep) => ({
  name: version,
  state,
  applied_at: appliedAt?.toISOString() ?? null,
})
