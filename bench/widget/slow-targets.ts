import { once } from 'node:events'
import * as v from 'valibot'

const Endpoint = v.object({ webSocketDebuggerUrl: v.string() })
const Message = v.object({
  method: v.optional(v.string(), ''),
  sessionId: v.optional(v.string()),
  params: v.optional(v.looseObject({ sessionId: v.optional(v.string(), '') })),
})

/**
 * Slows down the processor for every page and every frame of a browser, from its first script on: a frame of another site has a process
 * of its own, which a page's own session does not reach. Returns the function that lets go.
 */
export async function slowEveryTarget(debuggingPort: number, rate: number): Promise<() => void> {
  const answer = await fetch(`http://127.0.0.1:${debuggingPort}/json/version`)
  const { webSocketDebuggerUrl } = v.parse(Endpoint, await answer.json())
  const socket = new WebSocket(webSocketDebuggerUrl)
  await once(socket, 'open')
  let id = 0
  const tell = (method: string, params: object, sessionId?: string) => {
    id += 1
    socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
  }
  const attachWithin = (sessionId?: string) =>
    tell('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId)
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = v.parse(Message, JSON.parse(String(data)))
    if (method !== 'Target.attachedToTarget' || params === undefined) return
    const { sessionId } = params
    attachWithin(sessionId)
    tell('Emulation.setCPUThrottlingRate', { rate }, sessionId)
    tell('Runtime.runIfWaitingForDebugger', {}, sessionId)
  })
  attachWithin()
  return () => socket.close()
}
