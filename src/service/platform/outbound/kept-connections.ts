import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'

/** Connections that are kept at most: to one server, and by one client to all servers of a protocol. */
const MAX_IDLE = 32
const MAX_IDLE_IN_ALL = 1024
/** What makes connections and keeps them; false makes one for each request. */
export interface Agents {
  http: HttpAgent | false
  https: HttpsAgent | false
}

export const NO_AGENTS: Agents = { http: false, https: false }

/** Keeps each connection so long for the next request to the same server, in ms. */
export function keepingAgents(idleMs: number): Agents {
  const keeping = { keepAlive: true, timeout: idleMs, maxFreeSockets: MAX_IDLE }
  return { http: withFewIdle(new HttpAgent(keeping)), https: withFewIdle(new HttpsAgent(keeping)) }
}

/** Lets an agent keep no more connections where it keeps enough. */
function withFewIdle<Agent extends HttpAgent>(agent: Agent): Agent {
  // It returns whether the socket is kept (https://nodejs.org/docs/latest-v20.x/api/http.html#agentkeepsocketalivesocket).
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent)
  const reuse = agent.reuseSocket.bind(agent)
  const idle = new Set<Duplex>()
  function forget(this: Duplex) {
    idle.delete(this)
    this.off('close', forget)
  }
  agent.keepSocketAlive = (socket: Duplex) => {
    if (idle.size >= MAX_IDLE_IN_ALL) return false
    idle.add(socket)
    socket.on('close', forget)
    return keep(socket)
  }
  agent.reuseSocket = (socket: Duplex, request) => {
    forget.call(socket)
    reuse(socket, request)
  }
  return agent
}
