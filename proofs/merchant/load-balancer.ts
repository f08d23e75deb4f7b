import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpApi } from './http-api.ts'
import type { HttpApi } from './http-api.ts'

/** A load balancer: shares calls out among several services, by turns. */
export interface LoadBalancer extends HttpApi {
  /** Sends no more to a service, and waits until it has answered all that it got. */
  takeOut: (port: number) => Promise<void>
  putBack: (port: number) => void
}

export function createLoadBalancer(ports: readonly number[]): LoadBalancer {
  const behind = new Map(ports.map((port) => [port, newLine(port)]))
  let turn = 0
  return {
    async send(call) {
      const lines = [...behind.values()]
      const line = lines[turn++ % lines.length]
      if (line === undefined) throw new Error('the load balancer has no service')
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
