import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'
import type { Workers } from './workers.ts'

const Taken = v.object({ taken: v.number(), connections: v.number(), seconds: v.number() })

/** Measures, from now on, the messages that the receiver took, and the processor time of receiver and service. */
export async function startMeter(
  receiver: ChildProcess,
  workers: Workers,
): Promise<() => Promise<{ taken: number; words: string }>> {
  const ask = async () => {
    receiver.send('taken')
    return v.parse(Taken, (await once(receiver, 'message'))[0])
  }
  const before = await ask()
  return async () => {
    const now = await ask()
    const taken = now.taken - before.taken
    const micros = (seconds: number) => `${((seconds * 1e6) / taken).toFixed(0)} µs`
    const [service, receiving] = [await workers.seconds(), now.seconds - before.seconds]
    const connections = ((now.connections - before.connections) / taken).toFixed(2)
    const words = `for each message: service ${micros(service)}, receivers ${micros(receiving)} of a processor; ${connections} connections`
    return { taken, words }
  }
}
