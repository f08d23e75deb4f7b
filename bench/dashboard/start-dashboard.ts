import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as v from 'valibot'

/** The cookie of the one person who is signed in to the measured dashboard. */
export const SIGNED_IN = 'bench=signed-in'

const Addresses = v.object({ dashboard: v.string(), empty: v.string() })
const Memory = v.object({ rss: v.number(), heapUsed: v.number() })
export type Memory = v.InferOutput<typeof Memory>

/** The dashboard as a process of its own, and the same server with an empty page. */
export interface DashboardProcess {
  addresses: v.InferOutput<typeof Addresses>
  /** In bytes. `heap`: measured after garbage was collected, which takes the process a moment. */
  memory: (what: 'as it is' | 'heap') => Promise<Memory>
  stop: () => Promise<void>
}

interface Options {
  dataDir: string
  databaseUrl: string
  /** Who is signed in, and where. */
  session: { merchantId: string; userId: string }
}

export async function startDashboard({ dataDir, databaseUrl, session }: Options): Promise<DashboardProcess> {
  const env = { ...process.env, SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: databaseUrl }
  const program = join(import.meta.dirname, 'dashboard-service.js')
  const child = fork(program, [JSON.stringify(session)], { env, execArgv: ['--expose-gc'] })
  child.on('exit', (code) => {
    if (code !== 0) throw new Error('the measured dashboard has ended')
  })
  const answer = async (): Promise<unknown> => {
    const [message] = v.parse(v.tuple([v.unknown()]), (await once(child, 'message')).slice(0, 1))
    return message
  }
  return {
    addresses: v.parse(Addresses, await answer()),
    async memory(what) {
      child.send(what)
      return v.parse(Memory, await answer())
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
