import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/**
 * A minimal kept-alive connection, so that the client takes little of the processor that it shares with the service. One
 * request at a time; answers must have a content-length.
 */
export interface HttpConnection {
  /** Sends a GET request. The last answer must have arrived. */
  get: (path: string, headers: string) => Promise<HttpAnswer>
  /** Sends a request and gives the body of its answer; throws unless the answer is 201. */
  post: (path: string, headers: string, body: string) => Promise<string>
  close: () => void
}

/** An answer; its bytes are as they were sent. */
export interface HttpAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  bytes: Buffer
}

export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return {
    async post(path, headers, body) {
      const length = Buffer.byteLength(body)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n${body}`,
      )
      const { status, text } = await answerOn(socket)
      if (status !== 201) throw new Error(`${path}: ${text}`)
      return text
    },
    get(path, headers) {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`)
      return contentOn(socket)
    },
    close: () => socket.destroy(),
  }
}

function contentOn(socket: Socket): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let head: Omit<HttpAnswer, 'bytes'> | undefined
    let length = Infinity
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (head === undefined && end >= 0) {
        head = headOf(received.toString('latin1', 0, end))
        const isEmpty = head.status === 304
        length = end + 4 + (isEmpty ? 0 : Number(head.headers.get('content-length')))
      }
      if (head === undefined || received.length < length) return
      stop()
      resolve({ ...head, bytes: received.subarray(end + 4, length) })
    }
    const fail = () => {
      stop()
      reject(new Error('the server closed the connection'))
    }
    const stop = () => {
      socket.off('data', read)
      socket.off('close', fail)
    }
    socket.on('data', read)
    socket.on('close', fail)
  })
}

function headOf(text: string): Omit<HttpAnswer, 'bytes'> {
  const [first = '', ...lines] = text.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(first.slice(9, 12)), headers: new Map(headers) }
}

function answerOn(socket: Socket): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let received = ''
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
      if (received.length < end + 4 + length) return
      stop()
      resolve({ status: Number(received.slice(9, 12)), text: received.slice(end + 4) })
    }
    const fail = () => {
      stop()
      reject(new Error('the service closed the connection'))
    }
    const stop = () => {
      socket.off('data', read)
      socket.off('close', fail)
    }
    socket.on('data', read)
    socket.on('close', fail)
  })
}
