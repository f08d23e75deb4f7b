import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'

/** A merchant's server that takes every message and notes when it came. */
export interface Listener {
  url: string
  /** When the first message about a charge came, by `performance.now`; rejects when none comes. */
  hear: (chargeId: string) => Promise<number>
  close: () => Promise<void>
}

const Message = v.object({ data: v.object({ _id: v.string() }) })
const MOST_WAIT_MS = 60_000

export async function startListener(): Promise<Listener> {
  const heard = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = v.parse(Message, JSON.parse(Buffer.concat(chunks).toString()))
      if (!heard.has(data._id)) heard.set(data._id, performance.now())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async hear(chargeId) {
      const until = performance.now() + MOST_WAIT_MS
      while (performance.now() < until) {
        const at = heard.get(chargeId)
        if (at !== undefined) return at
        await sleep(20)
      }
      throw new Error(`no webhook came for ${chargeId} in ${MOST_WAIT_MS} ms`)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
