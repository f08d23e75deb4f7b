import { setTimeout as sleep } from 'node:timers/promises'
import type { Front } from './front.ts'
import { createHttpApi } from './http-api.ts'

/** Asks each service how it is, as a load balancer does, and sends no more to one that does not say that it is well. */
export interface HealthWatch {
  /** Resolves once the service is sent no more, and has answered all that it got. */
  isOut: (port: number) => Promise<void>
  /** Resolves once the service is sent requests again. */
  isBack: (port: number) => Promise<void>
  stop: () => Promise<void>
}

const EVERY_MS = 100

/** All of `ports` are behind the front. */
export function watchHealth(front: Front, ports: readonly number[]): HealthWatch {
  const well = new Set(ports)
  let isOver = false
  const watch = async (port: number) => {
    while (!isOver) {
      const isWell = await askHealth(port)
      if (!isWell && well.has(port)) {
        await front.takeOut(port)
        well.delete(port)
      }
      if (isWell && !well.has(port)) {
        front.putBack(port)
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

/** Over a connection of its own: one that is kept could end with the process. */
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
