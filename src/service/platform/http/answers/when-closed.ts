import type { FastifyReply } from 'fastify'

/** Calls `leave` once the answer is sent or its reader is gone; at once if the reader has hung up before, as nothing is told then. */
export function whenClosed({ raw }: FastifyReply, leave: () => void): void {
  if (raw.closed) leave()
  else raw.once('close', leave)
}
