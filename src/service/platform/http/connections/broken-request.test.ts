import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { createApp } from '../app.ts'

let app: FastifyInstance
let socket: Socket
let answers: string
let closed: Promise<unknown>
beforeEach(async () => {
  app = createApp(pino({ level: 'silent' }))
  app.post('/echo', (request) => request.body)
  app.post(
    '/refused',
    { onRequest: (_request, _reply, done) => done(new ServiceError('forbidden', 'no')) },
    () => null,
  )
  app.get('/slow', async () => {
    await setTimeout(60)
    return 'done'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
  socket = connect({ port: address.port, host: '127.0.0.1' })
  answers = ''
  socket.setEncoding('utf8').on('data', (text) => (answers += String(text)))
  closed = once(socket, 'close')
})
afterEach(async () => {
  socket.destroy()
  await app.close()
})

const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

describe('a request that was answered before its body had come', () => {
  const begun =
    'POST /refused HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'

  it('has no second answer when its body breaks at once', async () => {
    socket.write(`${begun}zz\r\n`)
    await closed
    expect(statuses()).toEqual(['403'])
  })

  it('has no second answer when its body breaks a moment later', async () => {
    socket.write(begun)
    await once(socket, 'data')
    socket.write('zz\r\n')
    await closed
    expect(statuses()).toEqual(['403'])
  })
})

it('what can’t be read behind a request that is carried out is answered after that one, and once', async () => {
  socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\nno HTTP\r\n\r\n')
  await setTimeout(20)
  socket.write('nor is this\r\n\r\n')
  await closed
  expect(statuses()).toEqual(['200', '400'])
})

it.each([
  ['waits for its body', '/echo', ['200', '400']],
  ['was refused', '/refused', ['200', '403']],
])(
  'a request whose body breaks behind one that is carried out lets that one have its answer: it %s',
  async (_, path, expected) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(`GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n${head}`)
    await setTimeout(20)
    socket.write('zz\r\n')
    await closed
    expect(statuses()).toEqual(expected)
  },
)
