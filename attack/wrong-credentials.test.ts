import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadeMerchant } from '../src/service/domains/merchants/merchants.ts'
import { routesOf, rightRequest } from './attack-requests.ts'
import type { AttackedRoute } from './attack-requests.ts'
import { countAttack } from './counted.ts'
import { faultOf } from './fault-of.ts'
import { createTarget, makeFixtures } from './target.ts'
import type { Fixtures, Hostile, RawAnswer, Target } from './target.ts'
import { wrongCredentials } from './wrong-credentials.ts'
import { testStatement } from '../src/service/testing/test-statement.ts'

const revokeKeys = testStatement(
  't_revoke',
  'UPDATE merchant_keys SET revoked_at = now() WHERE merchant_id = $1',
)

let target: Target
let fixtures: Fixtures
let revoked: MadeMerchant
beforeAll(async () => {
  target = await createTarget()
  fixtures = await makeFixtures(target.service)
  revoked = await target.service.makeMerchant()
  await target.service.database.run(revokeKeys, [revoked.merchant.id])
})
afterAll(() => target.close())

const keyed = async () => (await routesOf(target)).filter(({ key }) => key === 'secret' || key === 'public')

const isFound = ({ status }: RawAnswer) => status !== 401 && status !== 404

async function withoutKey(route: AttackedRoute): Promise<Hostile> {
  const right = await rightRequest(target, route, fixtures)
  const headers = Object.entries(right.headers ?? {}).filter(([name]) => !name.startsWith('x-user-'))
  return { ...right, headers: Object.fromEntries(headers) }
}

describe('wrong credentials', () => {
  it('let nobody in, at any route that asks for a key', async (context) => {
    const { publicKey, secretKey } = target.service.merchant
    const statuses: number[] = []
    const faults: string[] = []
    for (const route of await keyed()) {
      const isSecret = route.key === 'secret'
      const cases = wrongCredentials({
        right: isSecret ? secretKey : publicKey,
        header: `x-user-${isSecret ? 'secret' : 'public'}-key`,
        otherKind: isSecret ? publicKey : secretKey,
        revoked: isSecret ? revoked.secretKey : revoked.publicKey,
      })
      const bare = await withoutKey(route)
      for (const { name, headers, query } of cases) {
        const path =
          query === undefined ? bare.path : `${bare.path}${bare.path.includes('?') ? '&' : '?'}${query}`
        const answer = await target.send({ ...bare, path, headers: { ...bare.headers, ...headers } })
        statuses.push(answer.status)
        const fault =
          answer.status === 401
            ? faultOf(answer, target.secretsFor(route.path))
            : `answered ${String(answer.status)}`
        if (fault !== null) faults.push(`${fault}: ${name}: ${route.method} ${route.path}`)
      }
    }
    countAttack(context, statuses)
    expect(faults.slice(0, 10)).toEqual([])
  })

  it("of another merchant find nothing of this one's", async (context) => {
    const other = await target.service.makeMerchant()
    const outcomes: number[] = []
    const faults: string[] = []
    for (const route of (await keyed()).filter(
      ({ key, path }) => key === 'secret' && path.includes('{id}'),
    )) {
      const bare = await withoutKey(route)
      const answer = await target.send({
        ...bare,
        headers: { ...bare.headers, 'x-user-secret-key': other.secretKey },
      })
      outcomes.push(answer.status)
      if (answer.status !== 404) faults.push(`${String(answer.status)}: ${route.method} ${route.path}`)
    }
    countAttack(context, outcomes)
    expect(faults).toEqual([])
  })

  it('are what keeps them out: the right ones open each of these routes', async () => {
    const closed: string[] = []
    // DELETE comes last, because what it has removed is not found afterwards.
    const routes = (await keyed()).sort(
      (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
    )
    for (const route of routes) {
      const answer = await target.send(await rightRequest(target, route, fixtures))
      if (!isFound(answer)) closed.push(`${String(answer.status)}: ${route.method} ${route.path}`)
    }
    expect(closed).toEqual([])
  })
})
