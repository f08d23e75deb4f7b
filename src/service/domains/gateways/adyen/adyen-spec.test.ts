import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents, follow, nextId, order, sell, sold, soon } from '../testing/gateway-bed.ts'
import { openAdyenBed } from './testing/adyen-bed.ts'
import type { AdyenBed } from './testing/adyen-bed.ts'

const spec = resolve(process.env['SVC_ADYEN_SPEC'] ?? '../shared/specs/adyen-checkout-v72.json')
const isThere = existsSync(spec)
const why = isThere ? '' : ` (skipped: there is no ${spec}; SVC_ADYEN_SPEC names Adyen's OpenAPI file)`
const MOST_WAIT_MS = 60_000

let bed: AdyenBed
let prism: ChildProcess
let url: string

/** Prism stands between the adapter and the double, and holds what each of them says against the specification. */
async function openProxy(upstream: string): Promise<string> {
  const port = await freePort()
  const program = join(
    dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
    'dist',
  )
  const parameters = ['proxy', '--errors', '-h', '127.0.0.1', '-p', String(port), spec, upstream]
  prism = spawn(process.execPath, [join(program, 'index.js'), ...parameters], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  prism.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for (let waited = 0; waited < MOST_WAIT_MS && !said.includes('is listening'); waited += 50) await sleep(50)
  return (url = `http://127.0.0.1:${port}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  await new Promise((done) => server.close(done))
  return port
}

describe.skipIf(!isThere)(`Adyen's OpenAPI of Checkout v72${why}`, () => {
  beforeAll(async () => {
    bed = await openAdyenBed({ throughUrl: openProxy })
  }, MOST_WAIT_MS)
  afterAll(async () => {
    prism.kill()
    await bed.close()
  })
  const approved = { kind: 'approved' }

  it('refuses a request that is not as it says', async () => {
    const headers = { 'content-type': 'application/json', 'x-api-key': 'right', 'idempotency-key': 'wrong' }
    const body = JSON.stringify({ merchantAccount: 'Acme', amount: { value: 1.5 } })
    const response = await fetch(`${url}/payments`, { method: 'POST', headers, body })
    expect([response.status, bed.double.requests]).toEqual([422, []])
  })

  it('knows what a sale is sent and answered like', async () => {
    await sold(bed)
    await sold(bed, true)
    expect(await sell(bed, cents('5.00'), nextId(), { card: { name: 'REFUSE 12' } })).toMatchObject({
      kind: 'declined',
      reason: 'insufficient_funds',
    })
  })

  it('knows a capture, a cancel, a refund and a reversal', async () => {
    const [one, two, three] = [await sold(bed), await sold(bed), await sold(bed, true)]
    expect(await bed.gateway.capture(follow(one.sale, cents('60.00')))).toMatchObject(approved)
    expect(await bed.gateway.refund(follow(one.sale, cents('10.00')))).toMatchObject(approved)
    expect(await bed.gateway.cancel(follow(two.sale, two.sale.amount))).toMatchObject(approved)
    const young = { ...three.sale, ageMs: 0 }
    expect(await bed.gateway.refund(follow(young, young.amount))).toMatchObject(approved)
    expect([await one.books(), await two.books()]).toEqual([
      [{ held: 0, taken: 6000, refunded: 1000 }],
      [{ held: 0, taken: 0, refunded: 0 }],
    ])
  })

  it('knows how a lost sale is asked for and voided', async () => {
    const attemptId = nextId()
    bed.double.breakNext('silence before applying')
    expect((await sell(bed, cents('5.00'), attemptId, { signal: soon() })).kind).toBe('unknown')
    const asked = {
      ...order(cents('5.00'), attemptId),
      type: 'sale',
      capture: false,
      ageMs: 600_000,
      leastAgeMs: 600_000,
    } as const
    expect(await bed.gateway.outcomeOf(asked)).toEqual({ kind: 'not_received' })
    expect(bed.double.requests.slice(-2).map(({ path }) => path)).toEqual(['/payments', '/cancels'])
  })
})
