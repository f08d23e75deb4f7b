import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadBalancer } from './load-balancer.ts'
import { createHttpApi } from './http-api.ts'

/** Checks the health of each service, as a load balancer does, and takes one out that is not healthy. */
export interface HealthWatch {
  /** Resolves once no more requests are sent to the service, and it has answered those that it got. */
  isOut: (port: number) => Promise<void>
  /** Resolves once the service is sent requests again. */
  isBack: (port: number) => Promise<void>
  stop: () => Promise<void>
}

const EVERY_MS = 100

/** The balancer begins with all of `ports`. */
export function watchHealth(balancer: LoadBalancer, ports: readonly number[]): HealthWatch {
  const well = new Set(ports)
  let isOver = false
  const watch = async (port: number) => {
    while (!isOver) {
      const isWell = await askHealth(port)
      if (!isWell && well.has(port)) {
        await balancer.takeOut(port)
        well.delete(port)
      }
      if (isWell && !well.has(port)) {
        balancer.putBack(port)
        well.add(port)
      }
      await sleep(EVERY_MS)
    }
  }
  const watching = ports.map(watch)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(EVERY_MS / 4)
  }
  return {
    isOut: (port) => until(() => !well.has(port)),
    isBack: (port) => until(() => well.has(port)),
    async stop() {
      isOver = true
      await Promise.all(watching)
    },
  }
}

/** Uses a new connection each time: a kept one could end with the process. */
async function askHealth(port: number): Promise<boolean> {
  const api = createHttpApi(() => port)
  try {
    return (await api.send({ method: 'GET', path: '/health' })).status === 200
  } catch {
    return false
  } finally {
    api.close()
  }
}
