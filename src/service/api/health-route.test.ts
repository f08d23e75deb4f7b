import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { capturedLog } from '../testing/captured-log.ts'
import { createApp } from '../platform/http/app.ts'
import { addHealthRoute } from './platform-app.ts'
import type { Check } from '../platform/domain.ts'

const up: Check = () => Promise.resolve()
const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

function healthOf(checks: Record<string, Check>, isDraining = false) {
  const { log, logged } = capturedLog()
  const app = createApp(log)
  apps.push(app)
  addHealthRoute(app, { checks, maintenance: { retryAfter: () => null }, isDraining: () => isDraining })
  const ask = () => app.inject({ url: '/health' })
  return { ask, logged }
}

describe('GET /health', () => {
  it('shows each dependency; one that is down is a 500, and why stands in the log alone', async () => {
    const secret = 'Bearer of-the-issuer'
    const fault = Object.assign(new Error('the issuer said 502'), { headers: { authorization: secret } })
    const { ask, logged } = healthOf({ database: up, network: up, issuer: () => Promise.reject(fault) })
    const answer = await ask()
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({
      resource: { data: { status: 'down', dependencies: { database: 'up', network: 'up', issuer: 'down' } } },
    })
    expect(answer.body).not.toContain('502')
    expect(logged()).toContain('"dependency":"issuer"')
    expect(logged()).toContain('the issuer said 502')
    expect(logged()).not.toContain(secret)
  })

  it('is 200 again as soon as all are up', async () => {
    const network = vi.fn(up).mockRejectedValueOnce(new Error('down'))
    const { ask } = healthOf({ network })
    expect((await ask()).statusCode).toBe(500)
    expect((await ask()).statusCode).toBe(200)
  })

  it('asks a dependency once for all who ask at the same time', async () => {
    let settle: () => void = () => undefined
    const network = vi.fn(() => new Promise<void>((resolve) => (settle = resolve)))
    const { ask } = healthOf({ database: up, network })
    const asked = Array.from({ length: 50 }, ask)
    await vi.waitFor(() => expect(network).toHaveBeenCalled())
    await new Promise((resolve) => setTimeout(resolve, 50))
    settle()
    for (const answer of asked) expect((await answer).statusCode).toBe(200)
    expect(network).toHaveBeenCalledTimes(1)
  })

  it('waits two seconds for a dependency, and then says that it is down', async () => {
    const { ask, logged } = healthOf({ database: up, network: () => new Promise(() => undefined) })
    const began = performance.now()
    const answer = await ask()
    expect(answer.json()).toMatchObject({
      resource: { data: { status: 'down', dependencies: { database: 'up', network: 'down' } } },
    })
    expect(performance.now() - began).toBeGreaterThan(1900)
    expect(logged()).toContain('no answer in 2000 ms')
  })

  it('is 503 once the process is about to stop, so that a load balancer sends nobody here', async () => {
    const { ask } = healthOf({ database: up }, true)
    const answer = await ask()
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({
      resource: { data: { status: 'draining', dependencies: { database: 'up' } } },
    })
  })

  it('a check that fails before it begins is a dependency that is down', async () => {
    const { ask } = healthOf({
      network: () => {
        throw new Error('no address')
      },
    })
    expect((await ask()).statusCode).toBe(500)
  })
})
