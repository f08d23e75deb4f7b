import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { pino } from 'pino'
import { createApp } from '../app.ts'

it('what is under way when the service stops is answered, and its connection ends with it', async () => {
  const app = createApp(pino({ level: 'silent' }))
  let finish = (): void => undefined
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return { done: true }
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const agent = new Agent({ keepAlive: true })
  const sent = request({ agent, port, host: '127.0.0.1', path: '/slow' }).end()
  await once(app.server, 'request')
  const closed = app.close()
  await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow()
  finish()
  const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  answer.resume()
  expect(answer.statusCode).toBe(200)
  expect(answer.headers.connection).toBe('close')
  await closed
})
