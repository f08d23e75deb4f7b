import { lookup as lookUpBySystem } from 'node:dns'
import { connect as connectTcp, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { inTime } from '../in-time.ts'
import { codeOf, NoAnswer } from './no-answer.ts'
import type { Step } from './no-answer.ts'
import { askForWay } from './proxy.ts'
import type { Proxy, Target } from './proxy.ts'

/** Follows a connection while it is made. */
export interface Watch {
  at: (step: Step) => void
  /** Hears of each socket as soon as there is one, so that it can be destroyed. */
  hold: (socket: Socket) => void
}

/** Makes a connection to which a request can be written: TLS is agreed on, and the certificate is the server's. */
export type Dial = (target: Target, watch: Watch) => Promise<Socket>

export interface Reach {
  /** Whether a server at this IP address may be spoken to; asked of the very address that is connected to. */
  mayReach?: (address: string) => boolean
  /** Finds the addresses of a name, with the same guard; the system's own when left out. */
  lookup?: LookupFunction
  /** What connections are made through; null or left out: none. */
  proxy?: Proxy | null
}

/** How long a proxy may take to open the way, in ms: less than whoever charges a card waits, so that the log hears of it. */
const PROXY_MS = 4000
/** How many addresses of one name a proxy is asked for, one after the other. */
const MAX_WAYS = 3
/** TLS sessions that are kept, each for the next connection to the same server. */
const MAX_SESSIONS = 100

export function createDial({ mayReach = () => true, lookup = lookUpBySystem, proxy = null }: Reach): Dial {
  const encrypt = createEncrypting()
  return async (target, watch) => {
    const isAddress = isIP(target.host) !== 0
    if (isAddress && !mayReach(target.host)) throw new NoAnswer('NOT_PUBLIC', false)
    watch.at(isAddress ? 'connection' : 'lookup')
    const socket =
      proxy === null
        ? await connected(target, lookup, watch)
        : await connectedThrough(proxy, { target, lookup, watch, encrypt })
    if (!target.isEncrypted) return socket
    watch.at('handshake')
    return encrypt(socket, target, watch)
  }
}

function connected({ host, port }: Target, lookup: LookupFunction, { at, hold }: Watch): Promise<Socket> {
  const socket = connectTcp({ host, port, lookup, noDelay: true, keepAlive: true })
  hold(socket)
  socket.once('connectionAttempt', () => at('connection'))
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).on('error', reject)
  })
}

type Encrypt = (socket: Socket, target: Target, watch: Watch) => Promise<Socket>

/** Begins TLS over a connection. A server that was spoken to before is asked to go on with its session, which costs less. */
function createEncrypting(): Encrypt {
  const sessions = new Map<string, Buffer>()
  return (socket, { host, port }, { hold }) => {
    const server = `${host}:${port}`
    const encrypted = connectTls({
      socket,
      host,
      servername: isIP(host) === 0 ? host : '',
      session: sessions.get(server),
      ALPNProtocols: ['http/1.1'],
    })
    hold(encrypted)
    encrypted.on('session', (session) => {
      const [oldest] = sessions.keys()
      if (sessions.size >= MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
      sessions.set(server, session)
    })
    return new Promise((resolve, reject) => {
      encrypted
        .once('secureConnect', () => resolve(encrypted))
        .on('error', (error: Error) => {
          sessions.delete(server)
          reject(error)
        })
        .once('close', () => reject(new NoAnswer('CLOSED', false)))
    })
  }
}

interface Way {
  target: Target
  lookup: LookupFunction
  watch: Watch
  encrypt: Encrypt
}

/**
 * The name is looked up and its addresses checked here: the proxy hears an address, so it reaches no server that this service may
 * not reach, whatever the name leads to at the proxy.
 */
async function connectedThrough(proxy: Proxy, { target, lookup, watch, encrypt }: Way): Promise<Socket> {
  const hosts = isIP(target.host) === 0 ? await addressesOf(target.host, lookup) : [target.host]
  watch.at('proxy')
  const ofProxy = { hold: watch.hold, at: () => undefined }
  const connectToProxy = async (): Promise<Socket> => {
    const socket = await connected(proxy.target, lookUpBySystem, ofProxy)
    return proxy.target.isEncrypted ? encrypt(socket, proxy.target, ofProxy) : socket
  }
  const ask = (host: string) => askForWay(proxy, { host, port: target.port }, connectToProxy)
  return inTime(firstWay(hosts.slice(0, MAX_WAYS), ask), PROXY_MS, () => {
    throw new NoAnswer('PROXY_TIMED_OUT', false)
  })
}

/** The way to the first address that the proxy reaches. A proxy that can't be used at all is asked once. */
async function firstWay(hosts: readonly string[], ask: (host: string) => Promise<Socket>): Promise<Socket> {
  const [first, ...others] = hosts
  if (first === undefined) throw new NoAnswer('ENOTFOUND', false)
  try {
    return await ask(first)
  } catch (error) {
    if (others.length === 0 || !/^PROXY_(?:403|5\d\d)$/.test(codeOf(error))) throw error
    return firstWay(others, ask)
  }
}

/** Those of IPv4 first: a proxy may have no IPv6. */
function addressesOf(name: string, lookup: LookupFunction): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error !== null) reject(error)
      else if (typeof found === 'string') resolve([found])
      else
        resolve(
          [4, 6].flatMap((wanted) =>
            found.filter(({ family }) => family === wanted).map(({ address }) => address),
          ),
        )
    })
  })
}
