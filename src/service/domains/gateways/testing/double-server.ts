import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { strikes, write } from './double-faults.ts'
import type { DoubleAnswer, DoubleErrors, DoubleFault } from './double-faults.ts'

/** A request as it reached a double. */
export interface ReceivedRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingMessage['headers']
  /** Empty if there is no `Idempotency-Key`. */
  key: string
  text: string
  /** The body as it came: a file is no text. */
  bytes: Buffer
}

interface DoubleParts {
  /** Does what is asked for, unless the fault strikes before, and answers. */
  answerTo: (request: ReceivedRequest, fault: DoubleFault | undefined) => DoubleAnswer | Promise<DoubleAnswer>
  /** The answer to another request. */
  other: DoubleAnswer
  errors: DoubleErrors
}

/** What stands in for a gateway's server, and breaks on demand. */
export interface DoubleServer {
  origin: string
  /** The next request meets this fault: of those that are meant, if it is said which. */
  breakNext: (fault: DoubleFault, isMeant?: (request: ReceivedRequest) => boolean) => void
  /** No request meets a fault any more. */
  heal: () => void
  close: () => Promise<void>
}

/** A gateway's own clock, in ms since 1970. */
export const gatewayTime = () => Math.floor(performance.timeOrigin + performance.now())

/** Starts a double's server on this machine. */
export async function startDoubleServer({ answerTo, other, errors }: DoubleParts): Promise<DoubleServer> {
  const faults: { fault: DoubleFault; isMeant: (request: ReceivedRequest) => boolean }[] = []
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${v.parse(Port, server.address()).port}`,
    breakNext: (fault, isMeant = () => true) => faults.push({ fault, isMeant }),
    heal: () => faults.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = message
    const key = String(headers['idempotency-key'] ?? '')
    const bytes = await bytesOf(message)
    const request = { method, path, headers, key, text: bytes.toString(), bytes }
    const place = faults.findIndex(({ isMeant }) => isMeant(request))
    const fault = place < 0 ? undefined : faults.splice(place, 1)[0]?.fault
    const answer = await answerTo(request, fault)
    if (fault === undefined) write(response, answer)
    else await strikes[fault](response, { answer, other, errors })
  }
}

const Port = v.object({ port: v.number() })

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(v.parse(v.instance(Buffer), chunk))
  return Buffer.concat(chunks)
}
