import type { EventEmitter } from 'node:events'
import type { RunningService } from '../start-service.ts'
import { ProcessFault } from './process-group.ts'

/** How long stopping may take once draining is over, and how long a start may still take once somebody has asked to stop. */
const MAX_MS = 30_000

interface Asked {
  /** This process: it gets signals, and messages of its parent. */
  self: Pick<EventEmitter, 'on'>
  /** Whether it is one of several that a parent looks after. */
  isWorker: boolean
  /** Whether it reads from a terminal, whose end is a SIGHUP. */
  hasTerminal: boolean
  started: Promise<RunningService>
  /** Ends this process: well, or with a fault. */
  exit: (fault?: unknown) => void
}

/** Those that mean an orderly stop: of a terminal (Ctrl-C, Ctrl-\), of the system, and of images whose STOPSIGNAL is SIGQUIT. */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGQUIT']

/**
 * Stops the service on Ctrl-C, on SIGTERM, or when the process that started this one ends and had a channel to it. A second signal
 * skips draining, and does not wait for a start to end, such as a long recovery of the database. One of several processes may get
 * the same signal from the terminal and from its parent, so only its parent can make it skip.
 *
 * SIGHUP stops it where its terminal has ended. Elsewhere it is ignored, as under nohup, which Node forgets: scripts that rotate logs
 * send it, and there is nothing to read again. So is SIGUSR2, by which such scripts have logs opened anew.
 */
export function stopWhenAsked({ self, isWorker, hasTerminal, started, exit }: Asked): void {
  const hurry = new AbortController()
  let isStopping = false
  const leave = () => {
    if (isStopping) return
    isStopping = true
    stop(started, hurry.signal, exit).then(() => exit(), exit)
  }
  const leaveOrHurry = () => {
    if (isStopping) hurry.abort()
    leave()
  }
  const stopping = hasTerminal ? [...STOPPING, 'SIGHUP'] : STOPPING
  for (const signal of stopping) self.on(signal, isWorker ? leave : leaveOrHurry)
  for (const signal of hasTerminal ? ['SIGUSR2'] : ['SIGHUP', 'SIGUSR2']) self.on(signal, () => undefined)
  self.on('disconnect', leaveOrHurry)
  if (isWorker) self.on('message', (message) => (message === 'hurry' ? hurry.abort() : leave()))
}

async function stop(
  started: Promise<RunningService>,
  hurry: AbortSignal,
  exit: (fault: unknown) => void,
): Promise<void> {
  const giveUp = () => exit(new ProcessFault('stopped before it had started'))
  const timer = setTimeout(giveUp, MAX_MS)
  hurry.addEventListener('abort', giveUp)
  const service = await started
  clearTimeout(timer)
  hurry.removeEventListener('abort', giveUp)
  await service.drain(hurry)
  setTimeout(() => exit(new ProcessFault('stopping took too long')), MAX_MS).unref()
  await service.stop()
}
