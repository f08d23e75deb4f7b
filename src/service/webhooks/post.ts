import { lookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/** Sends a JSON body and answers with the HTTP status; throws when there was none in time. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<number>

interface Settings {
  timeoutMs: number
  /** Whether a server at this IP address may be spoken to; asked of the very address that is connected to. */
  mayReach: (address: string) => boolean
}

/** What of an answer's body is read before its connection is closed. */
const MOST_ANSWER_BYTES = 64 * 1024

/** Follows no redirects: a server that was let through may not send us on to one that was not. */
export function createPost({ timeoutMs, mayReach }: Settings): Post {
  const guardedLookup = guarded(mayReach)
  return async (url, headers, body) => {
    const { protocol, hostname } = new URL(url)
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !mayReach(host)) throw notReachable()
    const send = protocol === 'http:' ? sendHttp : sendHttps
    return new Promise<number>((resolve, reject) => {
      const length = Buffer.byteLength(body)
      const request = send(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
        agent: false,
        lookup: guardedLookup,
        signal: AbortSignal.timeout(timeoutMs),
      })
      request.on('error', reject)
      request.on('response', (answer) => {
        resolve(answer.statusCode ?? 0)
        let read = 0
        answer.on('error', () => undefined)
        answer.on('data', (chunk: Buffer) => {
          read += chunk.length
          if (read > MOST_ANSWER_BYTES) answer.destroy()
        })
      })
      request.end(body)
    })
  }
}

function guarded(mayReach: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const [first, ...others] = found.filter(({ address }) => mayReach(address))
      if (first === undefined) callback(notReachable(), '')
      else if (options.all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }
}

function notReachable(): Error {
  return Object.assign(new Error('not a public address'), { code: 'NOT_PUBLIC' })
}
