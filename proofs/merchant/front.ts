import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpApi } from './http-api.ts'
import type { HttpApi } from './http-api.ts'

/** What stands before several services and shares the calls out, as a load balancer does. */
export interface Front extends HttpApi {
  /** Sends no more to a service, and waits until it has answered all that it got. */
  takeOut: (port: number) => Promise<void>
  putBack: (port: number) => void
}

export function createFront(ports: readonly number[]): Front {
  const behind = new Map(ports.map((port) => [port, newLine(port)]))
  let turn = 0
  return {
    async send(call) {
      const lines = [...behind.values()]
      const line = lines[turn++ % lines.length]
      if (line === undefined) throw new Error('no service is behind the front')
      line.underWay += 1
      try {
        return await line.api.send(call)
      } finally {
        line.underWay -= 1
      }
    },
    async takeOut(port) {
      const line = behind.get(port)
      behind.delete(port)
      while (line !== undefined && line.underWay > 0) await sleep(5)
      line?.api.close()
    },
    putBack: (port) => void behind.set(port, newLine(port)),
    close() {
      for (const { api } of behind.values()) api.close()
    },
  }
}

function newLine(port: number): { api: HttpApi; underWay: number } {
  return { api: createHttpApi(() => port), underWay: 0 }
}
