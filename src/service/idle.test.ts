import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from './platform/database/database.ts'
import { shareWorkChecks } from './platform/jobs/job.ts'
import type { Job } from './platform/jobs/job.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'

let database: Database
let service: TestService
let asked = 0
beforeAll(async () => {
  database = await createMigratedDatabase()
  service = await createTestService({ database: counting(database) })
})
afterAll(async () => {
  await service.close()
  await database.close()
})

/** The same database; counts in `asked` what it is asked, a transaction's `BEGIN` and `COMMIT` too. */
function counting(real: Database): Database {
  const counted: Pick<Database, 'run'>['run'] = (statement, values) => {
    asked += 1
    return real.run(statement, values)
  }
  return {
    ...real,
    run: counted,
    grouped: { ...real.grouped, run: counted, read: counted },
    transaction(work) {
      asked += 2
      return real.transaction((queries) =>
        work({
          ...queries,
          run: (statement, values) => {
            asked += 1
            return queries.run(statement, values)
          },
        }),
      )
    },
  }
}

async function askedBy({ work, finish }: Job): Promise<number> {
  asked = 0
  await work()
  await finish?.()
  return asked
}

it('asks the database no more than 37 times a second while there is nothing to do', async () => {
  const jobs = shareWorkChecks(service.jobs, () => (error) => expect(error).toBeUndefined())
  // What the start has left to do: its events are sealed, then counted.
  for (const job of [...jobs, ...jobs]) await askedBy(job)
  let perSecond = 0
  for (const job of jobs) perSecond += ((await askedBy(job)) * 1000) / job.everyMs
  expect(perSecond).toBeLessThanOrEqual(37)
})
