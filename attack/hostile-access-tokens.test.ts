import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProbe, PROBE } from '../src/service/testing/probe.ts'
import { countAttack } from './counted.ts'
import { faultOf } from './fault-of.ts'
import { someOf } from './strength.ts'
import { createTarget } from './target.ts'
import type { Hostile, RawAnswer, Target } from './target.ts'
import { partsOf } from './token-parts.ts'
import type { Forgery } from './token-parts.ts'
import {
  alteredClaims,
  wrongClaims,
  foreignKeys,
  hmacByPublicKey,
  otherAlgorithms,
  wrongHeaders,
  alteredSignatures,
  otherShapes,
} from './hostile-access-tokens.ts'
import { ownSigner } from './access-token-signer.ts'

let target: Target
let token: string
beforeAll(async () => {
  target = await createTarget({}, ({ app, oauth }) => addProbe(app, oauth.verifyAccessToken))
  token = await target.service.accessToken({ scopes: ['agreements:read'] })
})
afterAll(() => target.close())

const nowSeconds = () => Math.floor(Date.now() / 1000)
const asking = (authorization: string | readonly string[]): Hostile => ({
  method: 'GET',
  path: PROBE,
  headers: { authorization },
})

async function forgeries(): Promise<Forgery[]> {
  const parts = partsOf(token)
  const { sign, publicJwk } = await ownSigner(target.service)
  return [
    ...otherAlgorithms(parts),
    ...(await hmacByPublicKey(publicJwk, parts)),
    ...(await foreignKeys(parts)),
    ...(await wrongHeaders(sign, parts)),
    ...(await wrongClaims(sign, parts, nowSeconds())),
    ...alteredClaims(parts),
    ...alteredSignatures(parts),
    ...otherShapes(token, parts),
  ]
}

/** 401, in the envelope, with a challenge that says what is wrong. */
function faultAs(answer: RawAnswer, challenge: RegExp): string | null {
  if (answer.status !== 401) return `answered ${String(answer.status)}`
  if (!challenge.test(answer.challenge)) return `WWW-Authenticate: ${answer.challenge}`
  return faultOf(answer, [token])
}

describe('access tokens', () => {
  it('that were forged, altered or made for something else open nothing', async (context) => {
    const made = await forgeries()
    const statuses: number[] = []
    const faults: string[] = []
    for (const { name, token: forged } of someOf(made, 400)) {
      const answer = await target.send(asking(`Bearer ${forged}`))
      statuses.push(answer.status)
      const fault = faultAs(answer, /^Bearer error="invalid_token"/)
      if (fault !== null) faults.push(`${fault}: ${name}`)
    }
    countAttack(context, statuses)
    expect(faults.slice(0, 20)).toEqual([])
    expect(made.length).toBeGreaterThan(1000)
  })

  it('open nothing where they do not belong', async (context) => {
    const basic = Buffer.from(`${token}:`).toString('base64')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const misplaced: Hostile[] = [
      { method: 'GET', path: PROBE },
      { method: 'GET', path: `${PROBE}?access_token=${token}` },
      { method: 'GET', path: `${PROBE}?authorization=Bearer%20${token}` },
      { method: 'POST', path: PROBE, headers: form, body: `access_token=${token}` },
      asking(token),
      asking(`Basic ${basic}`),
      asking(`Token ${token}`),
      asking(`JWT ${token}`),
      asking(`DPoP ${token}`),
      asking(`BearerX ${token}`),
      { method: 'GET', path: PROBE, headers: { cookie: `access_token=${token}` } },
      { method: 'GET', path: PROBE, headers: { 'proxy-authorization': `Bearer ${token}` } },
      { method: 'GET', path: PROBE, headers: { 'x-authorization': `Bearer ${token}` } },
      { method: 'GET', path: PROBE, headers: { 'x-user-secret-key': token } },
      { method: 'GET', path: PROBE, headers: { 'x-user-secret-key': target.service.merchant.secretKey } },
    ]
    const faults: string[] = []
    const statuses: number[] = []
    for (const one of misplaced) {
      const answer = await target.send(one)
      statuses.push(answer.status)
      const fault = faultAs(answer, /^Bearer$/)
      if (fault !== null) faults.push(`${fault}: ${one.path} ${JSON.stringify(one.headers)}`)
    }
    countAttack(context, statuses)
    expect(faults).toEqual([])
  })

  it('in a request that is broken are not looked at', async (context) => {
    const broken: Hostile[] = [
      asking([`Bearer ${token}`, `Bearer ${token}`]),
      asking([`Bearer ${token}`, 'Basic YTpi']),
      asking(['Basic YTpi', `Bearer ${token}`]),
      asking(`Bearer ${'x'.repeat(100_000)}`),
      asking(`Bearer ${token}${'A'.repeat(100_000)}`),
    ]
    const statuses: number[] = []
    for (const one of broken) statuses.push((await target.send(one)).status)
    countAttack(context, statuses)
    expect(statuses.slice(0, 3)).toEqual([400, 400, 400])
    // Node ends a connection that sends more than 16 kB of headers, after its answer where that still arrives.
    expect(statuses.slice(3).filter((status) => ![0, 400, 431].includes(status))).toEqual([])
  })

  it('are 403 without the scope, and taken when our key signed them, once or again', async () => {
    const { sign } = await ownSigner(target.service)
    const { header, claims } = partsOf(token)
    const others = await target.service.accessToken({ scopes: ['agreements:write', 'payments:read'] })
    const lacking = await target.send(asking(`Bearer ${others}`))
    expect([lacking.status, lacking.challenge]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="agreements:read"',
    ])
    const now = nowSeconds()
    const right = [
      token,
      await sign(header, claims),
      await sign({ ...header, typ: 'application/at+jwt' }, claims),
      await sign(header, { ...claims, aud: ['https://other.example', claims['aud']] }),
      await sign(header, { ...claims, iat: now + 50, exp: now + 900, nbf: now + 50 }),
      await sign(header, { ...claims, iat: now - 900, exp: now - 50 }),
    ]
    const statuses: number[] = []
    for (const one of right) statuses.push((await target.send(asking(`bearer ${one}`))).status)
    expect(statuses).toEqual(right.map(() => 200))
  })
})
