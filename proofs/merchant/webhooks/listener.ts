import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { startWebhookServer } from './webhook-server.ts'
import type { WebhookServer } from './webhook-server.ts'

/** A merchant's server that takes every message and notes when it came. */
export interface Listener extends WebhookServer {
  /** When the first message about a charge came, by `performance.now`; rejects when none comes. */
  hear: (chargeId: string) => Promise<number>
}

const Message = v.object({ data: v.object({ _id: v.string() }) })
const MAX_WAIT_MS = 60_000

export async function startListener(): Promise<Listener> {
  const heard = new Map<string, number>()
  const server = await startWebhookServer((_headers, body) => {
    const { data } = v.parse(Message, JSON.parse(body))
    if (!heard.has(data._id)) heard.set(data._id, performance.now())
    return true
  })
  return {
    ...server,
    async hear(chargeId) {
      const until = performance.now() + MAX_WAIT_MS
      while (performance.now() < until) {
        const at = heard.get(chargeId)
        if (at !== undefined) return at
        await sleep(20)
      }
      throw new Error(`no webhook came for ${chargeId} in ${MAX_WAIT_MS} ms`)
    },
  }
}
