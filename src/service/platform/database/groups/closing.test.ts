import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const touch = testStatement<{ id: number }>(
  't_touch',
  'UPDATE things SET n = n + 1 WHERE id = $1 RETURNING id',
)
const serverOf = testStatement<{ pid: number }>('t_server', 'SELECT pg_backend_pid() AS pid')

describe('a database that closes', () => {
  it('first keeps what waits for a row, each alone', async () => {
    const closing = await createTestDatabase()
    await closing.script(
      'CREATE TABLE things (id int PRIMARY KEY, n int NOT NULL DEFAULT 0); INSERT INTO things VALUES (1)',
    )
    const holder = closing.transaction(async (queries) => {
      await queries.run(touch, [1])
      await sleep(300)
    })
    await sleep(50)
    const waiter = closing.grouped.run(touch, [1])
    const closed = closing.close()
    await holder
    expect(await waiter).toEqual([{ id: 1 }])
    await closed
  })

  it('goes on without a server that has fallen silent', async () => {
    const closing = await createTestDatabase()
    const server = (await closing.grouped.run(serverOf, []))[0]?.pid ?? 0
    process.kill(server, 'SIGSTOP')
    try {
      await closing.close()
    } finally {
      process.kill(server, 'SIGCONT')
    }
  })
})
