import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestService } from '../src/service/testing/test-service.ts'
import { countAttack } from './counted.ts'
import { faultOf } from './fault-of.ts'
import { isFull, someOf } from './strength.ts'
import { createTarget, makeFixtures } from './target.ts'
import type { Hostile, Target } from './target.ts'
import { forgedClaims, forgedHeaders } from './forged-checkout-tokens.ts'
import { encoded, hmac, partsOf } from './token-parts.ts'
import type { Forge } from './token-parts.ts'

let target: Target
beforeAll(async () => {
  target = await createTarget()
})
afterAll(() => target.close())

/** Every request that a checkout's token allows. */
function openedBy(token: string, paymentSource: string): Hostile[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ payment_source: paymentSource })
  const card = JSON.stringify({
    type: 'card',
    card_number: '4012000033330026',
    expire_month: '01',
    expire_year: '39',
    card_ccv: '100',
  })
  return [
    { method: 'GET', path: '/v1/checkouts/session', headers },
    { method: 'POST', path: '/v1/checkouts/session/payments', headers, body },
    { method: 'POST', path: '/v1/payment_sources/tokens', headers, body: card },
  ]
}

async function forge(): Promise<Forge> {
  const { checkoutToken: token } = await makeFixtures(target.service)
  const { publicKey } = target.service.merchant
  const { key } = signingKeyOf(target.service)
  return {
    token,
    key,
    publicTexts: [publicKey, 'http://localhost:8080', 'checkout', 'checkout-token'],
    nowSeconds: Math.floor(Date.now() / 1000),
  }
}

describe('checkout tokens', () => {
  it('that were forged or altered open nothing', async (context) => {
    const made = await forge()
    const parts = partsOf(made.token)
    const forgeries = [...forgedHeaders(made, parts), ...forgedClaims(made, parts)]
    const statuses: number[] = []
    const faults: string[] = []
    const paymentSource = await target.service.tokenise()
    for (const { name, token } of someOf(forgeries, 250)) {
      const requests = openedBy(token, paymentSource).slice(0, isFull ? 3 : 1)
      for (const request of requests) {
        const answer = await target.send(request)
        statuses.push(answer.status)
        const fault =
          answer.status === 401 ? faultOf(answer, [made.token]) : `answered ${String(answer.status)}`
        if (fault !== null) faults.push(`${fault}: ${name} at ${request.method} ${request.path}`)
      }
    }
    countAttack(context, statuses)
    expect(faults.slice(0, 20)).toEqual([])
    expect(forgeries.length).toBeGreaterThan(500)
  })

  it('open nothing where they do not belong', async (context) => {
    const { token } = await forge()
    const session = '/v1/checkouts/session'
    const misplaced: Hostile[] = [
      { method: 'GET', path: `${session}?token=${token}` },
      { method: 'GET', path: `${session}?access_token=${token}` },
      { method: 'GET', path: session, headers: { authorization: token } },
      { method: 'GET', path: session, headers: { authorization: `Basic ${token}` } },
      { method: 'GET', path: session, headers: { authorization: `Token ${token}` } },
      { method: 'GET', path: session, headers: { authorization: `Bearer Bearer ${token}` } },
      { method: 'GET', path: session, headers: { authorization: `Bearer ${token}, Bearer ${token}` } },
      { method: 'GET', path: session, headers: { authorization: `Bearer ${token.replace('.', ' .')}` } },
      { method: 'GET', path: session, headers: { authorization: `Bearer "${token}"` } },
      { method: 'GET', path: session, headers: { cookie: `authorization=Bearer ${token}` } },
      { method: 'GET', path: session, headers: { 'proxy-authorization': `Bearer ${token}` } },
      { method: 'GET', path: session, headers: { 'x-user-secret-key': token } },
      { method: 'GET', path: '/v1/charges', headers: { authorization: `Bearer ${token}` } },
      { method: 'GET', path: '/v1/charges', headers: { 'x-user-secret-key': token } },
      {
        method: 'GET',
        path: '/v1/webhooks',
        headers: { authorization: `Bearer ${token}`, 'x-user-secret-key': token },
      },
    ]
    const statuses: number[] = []
    for (const one of misplaced) statuses.push((await target.send(one)).status)
    countAttack(context, statuses)
    // A route may refuse an unknown query parameter (400) before it asks for the token (401).
    expect(statuses.filter((status) => status !== 401 && status !== 400)).toEqual([])
  })

  it('are taken as they were made, and when they are signed again by our key', async () => {
    const { token, key } = await forge()
    const { header, claims } = partsOf(token)
    const input = `${encoded(header)}.${encoded(claims)}`
    for (const right of [token, `${input}.${hmac(input, key)}`]) {
      const statuses: number[] = []
      for (const request of openedBy(right, await target.service.tokenise()))
        statuses.push((await target.send(request)).status)
      // The first pays the checkout, after which it takes no more cards; the second finds it paid.
      expect([
        [200, 201, 403],
        [200, 200, 403],
      ]).toContainEqual(statuses)
    }
  })
})

/** The key that signs checkout tokens, and its id. An attacker has neither; tests use it for tokens whose claims alone are wrong. */
function signingKeyOf({ secretsFor }: TestService): { id: string; key: Buffer } {
  const [current] = secretsFor('checkout-token')
  if (current === undefined) throw new Error('there is no key to sign with')
  const [id, key] = current
  return { id, key }
}
