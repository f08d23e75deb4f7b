import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MonotonicClock } from '../platform/clocks.ts'
import { doublingDelay } from '../platform/doubling-delay.ts'

/** How long it is until another process takes the place of one that has died, in ms: longer while they die young. */
const PAUSES = { firstMs: 250, longestMs: 8000 }
/** A process that has served for so long did not die of how it was started. */
const YOUNG_MS = 60_000

/** The processes could not be started or did not end well; each has said why itself. */
export class ProcessFault extends Error {
  override readonly name = 'ProcessFault'
}

interface Settings {
  /** How many processes there are to be. */
  count: number
  /** Settings that differ from those of this process. */
  settings: Readonly<Record<string, string>>
  log: Pick<Logger, 'error'>
  clock: MonotonicClock
}

/** Processes that share the ports that they listen at. */
export interface ProcessGroup {
  /** Lets all of them answer what they were asked, and waits for their ends; hurries them when `hurry` is aborted. */
  end: (hurry: AbortSignal) => Promise<void>
}

/**
 * Starts this program `count` times, and starts another one for each that dies. The first is alone until it serves: it brings the
 * schema up to date, and says what is wrong with the settings. Throws a `ProcessFault` when one of them does not start.
 */
export async function startProcessGroup({ count, settings, log, clock }: Settings): Promise<ProcessGroup> {
  // Each process takes its connections from the system itself. Handed on by this one, which is Node's default, a connection would hang for
  // ever when its process is killed in that moment.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const living = new Map<Worker, Promise<unknown>>()
  const ending = new AbortController()
  const isEnding = () => ending.signal.aborted
  let diedYoung = 0

  /** Null when it ends before it serves. */
  const startOne = async () => {
    const worker = cluster.fork({ ...settings, SVC_PROCESSES: '1' })
    const ended = endOf(worker)
    living.set(worker, ended)
    const ready = new Promise<boolean>((resolve) => worker.once('message', () => resolve(true)))
    const isReady = await Promise.race([ready, ended.then(() => false)])
    return isReady ? { worker, ended, since: clock.elapsedMs() } : null
  }
  const keepOne = async (first: Awaited<ReturnType<typeof startOne>>) => {
    for (let running = first; ; running = await startOne()) {
      await running?.ended
      if (isEnding()) return
      for (const worker of living.keys()) if (worker.isDead()) living.delete(worker)
      const isYoung = running === null || clock.elapsedMs() - running.since < YOUNG_MS
      diedYoung = isYoung ? diedYoung + 1 : 1
      const pause = doublingDelay(diedYoung, PAUSES)
      log.error({ pause_ms: pause }, 'a process has died; another takes its place')
      await sleep(pause, undefined, { signal: ending.signal }).catch(() => undefined)
      if (isEnding()) return
    }
  }
  const end = async (hurry: AbortSignal) => {
    ending.abort()
    const tell = (message: string) => {
      for (const worker of living.keys()) if (worker.isConnected()) worker.send(message)
    }
    tell('stop')
    if (hurry.aborted) tell('hurry')
    else hurry.addEventListener('abort', () => tell('hurry'))
    await Promise.all(living.values())
    const unwell = [...living.keys()].some(({ process: { exitCode } }) => exitCode !== 0)
    if (unwell) throw new ProcessFault('a process did not end well')
  }

  const first = await startOne()
  if (first === null) throw new ProcessFault('the first process did not start')
  const others = await Promise.all(Array.from({ length: count - 1 }, startOne))
  if (others.includes(null)) {
    await end(AbortSignal.abort()).catch(() => undefined)
    throw new ProcessFault('a process did not start')
  }
  for (const one of [first, ...others]) void keepOne(one)
  return { end }
}

/**
 * Resolves when a process has ended, or could not be started, of which the system says nothing more. Other errors are messages to one that has
 * just ended.
 */
function endOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve()
    })
  })
}
