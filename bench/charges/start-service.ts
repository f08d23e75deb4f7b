import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as v from 'valibot'

const Keys = v.object({ publicKey: v.string(), secretKey: v.string() })
export type Keys = v.InferOutput<typeof Keys>

interface ServiceOptions {
  port: number
  dataDir: string
  databaseUrl: string
}

/** Starts the measured service as its own process, with a merchant in it. It ends when it is disconnected. */
export async function startService({
  port,
  dataDir,
  databaseUrl,
}: ServiceOptions): Promise<{ child: ChildProcess; keys: Keys }> {
  const env = { ...process.env, SVC_PORT: String(port), SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: databaseUrl }
  const child = fork(join(import.meta.dirname, 'instant-service.js'), { env })
  child.on('exit', (code) => {
    if (code !== 0) throw new Error('the measured service has ended')
  })
  return { child, keys: v.parse(Keys, (await once(child, 'message'))[0]) }
}
