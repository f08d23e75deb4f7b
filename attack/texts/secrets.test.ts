import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretIn } from '../../src/service/platform/secrets/secret-in-text.ts'
import { SPELLINGS, SPELLINGS_OF_TOKENS } from '../../src/service/testing/spellings.ts'
import { storedRows } from '../../src/service/testing/stored-rows.ts'
import { routesOf, withFixtures } from '../attack-requests.ts'
import type { AttackedRoute } from '../attack-requests.ts'
import { countAttack } from '../counted.ts'
import { faultOf } from '../fault-of.ts'
import { isFull, someOf } from '../strength.ts'
import { createTarget } from '../target.ts'
import type { Fixtures, Target } from '../target.ts'
import { naughtyRequest } from './naughty-request.ts'
import { placesOf } from './text-places.ts'
import type { Place } from './text-places.ts'

let target: Target
beforeAll(async () => {
  target = await createTarget()
})
afterAll(() => target.close())

/** Fields that are what a secret is for: it is looked up there, and not kept. */
const CARRIERS = ['token', 'payment_source']

/** A secret that may stand nowhere, in the ways to write it that are tried in one place. */
interface Tried {
  secret: string
  texts: readonly string[]
}

async function secretsFor(checkoutToken: string): Promise<string[]> {
  const { service } = target
  return [await service.tokenise(), service.merchant.secretKey, checkoutToken, await service.accessToken()]
}

/** In the short form few of them: the token always, as it is and otherwise, and another secret. */
function triedAt(secrets: readonly string[], offset: number): Tried[] {
  const [token = '', ...others] = secrets
  return [
    {
      secret: token,
      texts: [token, ...someOf(Object.values(SPELLINGS_OF_TOKENS), 1, offset).map((spell) => spell(token))],
    },
    ...someOf(others, 1, offset).map((secret) => ({
      secret,
      texts: someOf(Object.values(SPELLINGS), 1, offset).map((spell) => spell(secret)),
    })),
  ]
}

const compact = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')

/** Tells whether a text holds one of these, in any case and grouping, in hex or base64: without the rules that are tried. */
function holderOf(secrets: readonly string[]): (text: string) => boolean {
  const sought = secrets.flatMap((secret) =>
    [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').slice(0, -4)].map(
      compact,
    ),
  )
  return (text) => {
    const searched = compact(text)
    return sought.some((one) => searched.includes(one))
  }
}

async function faultsOf(route: AttackedRoute, place: Place, fixtures: Fixtures, { secret, texts }: Tried) {
  const outcomes: { status: number; fault: string | null }[] = []
  for (const text of texts) {
    const hostile = await naughtyRequest(target, { route, place, text }, fixtures)
    if (hostile === null) continue
    const answer = await target.send(hostile)
    const isKept = place.in === 'body' && !CARRIERS.includes(place.at[0] ?? '') && answer.status < 400
    const fault = isKept
      ? `answered ${answer.status}`
      : faultOf(answer, answer.status < 400 ? [] : [secret, text])
    const where = `${route.method} ${route.path} ${JSON.stringify(place)} ${JSON.stringify(text).slice(0, 80)}`
    outcomes.push({ status: answer.status, fault: fault === null ? null : `${fault}: ${where}` })
  }
  return outcomes
}

describe('secrets of this service', () => {
  it(
    'are refused in every field, and kept, logged and answered nowhere',
    { timeout: isFull ? 7_200_000 : 600_000 },
    async (context) => {
      const tried = new Set<string>()
      const logged = target.service.logged().length
      const statuses: number[] = []
      const faults: string[] = []
      let offset = 0
      for await (const { route, fixtures } of withFixtures(target, await routesOf(target))) {
        const secrets = await secretsFor(fixtures.checkoutToken)
        const places = placesOf(route)
        const headers = someOf(
          places.filter((one) => one.in === 'header'),
          3,
          offset,
        )
        for (const place of [...places.filter((one) => one.in !== 'header'), ...headers])
          for (const one of triedAt(secrets, offset++))
            for (const { status, fault } of await faultsOf(route, place, fixtures, one)) {
              statuses.push(status)
              if (fault !== null) faults.push(fault)
            }
        secrets.forEach((secret) => tried.add(secret))
      }
      const holds = holderOf([...tried])
      const kept = [
        ...(await storedRows(target.service.database)),
        ...target.service.logged().slice(logged).split('\n'),
      ]
      for (const text of kept)
        if (secretIn(text) !== null || holds(text)) faults.push(`kept: ${text.slice(0, 400)}`)
      countAttack(context, statuses)
      expect([...new Set(faults)].slice(0, 20)).toEqual([])
      await target.mustBeWell()
    },
  )
})
