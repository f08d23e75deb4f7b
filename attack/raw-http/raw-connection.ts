import { connect } from 'node:net'

/** The service's answer to bytes that were sent over a connection of their own. */
export interface Exchange {
  /** Answers in the order they came, the marker's too. */
  answers: { status: number; headers: string; body: string }[]
  /** What the service did with the connection in the end; `waits`: nothing, for as long as it was watched. */
  end: 'kept' | 'closed' | 'waits'
}

/** A valid request that is sent after the case: if bytes of the case were left unread, they would corrupt it. */
const MARKER = 'GET /health HTTP/1.1\r\nhost: marker\r\nconnection: close\r\n\r\n'

/**
 * Sends bytes, waits for an answer or the end, sends the marker, and waits for the end: how many answers there are then
 * says how many requests the service saw. The last answer is the marker's where the connection was kept. Watches for `maxMs`.
 */
export function exchange(port: number, bytes: Buffer, maxMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let isMarked = false
    let isGivenUp = false
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const mark = () => {
      if (isMarked) return
      isMarked = true
      socket.write(MARKER)
    }
    const timer = setTimeout(() => {
      isGivenUp = true
      socket.destroy()
    }, maxMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (answersIn(Buffer.concat(chunks)).length > 0) mark()
    })
    // A server that ends the connection may do so while more is on its way.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      const answers = answersIn(Buffer.concat(chunks))
      const isKept = answers.at(-1)?.body.includes('"type":"health"') === true
      resolve({ answers, end: isKept ? 'kept' : isGivenUp ? 'waits' : 'closed' })
    })
  })
}

/** The whole answers at the beginning of some bytes; each says its length, as all of the service's do. */
function answersIn(bytes: Buffer): Exchange['answers'] {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return []
  const headers = bytes.subarray(0, end).toString('latin1')
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(headers) ?? []
  const after = end + 4 + Number(length)
  if (bytes.length < after) return []
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0)
  const body = bytes.subarray(end + 4, after).toString()
  return [{ status, headers, body }, ...answersIn(bytes.subarray(after))]
}
