import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadeMerchant } from '../src/service/domains/merchants/merchants.ts'
import { testStatement } from '../src/service/testing/test-statement.ts'
import { routesOf, rightRequest } from './attack-requests.ts'
import type { AttackedRoute } from './attack-requests.ts'
import { countAttack } from './counted.ts'
import { faultOf } from './fault-of.ts'
import { createTarget, makeFixtures } from './target.ts'
import type { Fixtures, Hostile, RawAnswer, Target } from './target.ts'

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

interface Known {
  /** A valid key, parts of which the attacker has seen. */
  right: string
  /** The header that it belongs in. */
  header: string
  /** A valid key of the other kind. */
  otherKind: string
  /** A key that was valid until it was revoked. */
  revoked: string
}

/** Headers and query of a request that must not be let in; `name` says in words what is wrong with it. */
interface WrongCredentials {
  name: string
  headers: Readonly<Record<string, string | readonly string[]>>
  query?: string
}

const hash = (key: string) => createHash('sha256').update(key).digest()

/** Everything that resembles a valid key without being one. */
function wrongCredentials({ right, header, otherKind, revoked }: Known): WrongCredentials[] {
  const key = (name: string, value: string) => ({ name, headers: { [header]: value } })
  const [kind = '', environment = '', random = ''] = right.split('_')
  return [
    { name: 'none', headers: {} },
    key('empty', ''),
    key('blank', ' '),
    key('the other kind', otherKind),
    {
      name: 'in the header of the other kind',
      headers: { [header === 'x-user-secret-key' ? 'x-user-public-key' : 'x-user-secret-key']: right },
    },
    key('revoked', revoked),
    key('cut by one', right.slice(0, -1)),
    key('one more', `${right}A`),
    key('first letters alone', `${kind}_${environment}_`),
    key('another environment', `${kind}_production_${random}`),
    key('upper case', right.toUpperCase()),
    key('reversed', right.split('').reverse().join('')),
    key('twice in one', `${right}${right}`),
    key('in a list', `${right}, ${right}`),
    key('a space inside', right.replace('_', ' _')),
    key('a tab inside', right.replace('_', '\t_')),
    key('quoted', `"${right}"`),
    key('percent-encoded', right.replace('_', '%5F')),
    key('a look-alike letter', right.replace('s', Buffer.from('ѕ').toString('latin1'))),
    key('a no-break space behind', `${right}\u00a0`),
    key('base64', Buffer.from(right).toString('base64')),
    key('its hash in hex, as it is kept', hash(right).toString('hex')),
    key('its hash in base64', hash(right).toString('base64')),
    key('the part that the index holds', hash(right).subarray(0, 8).toString('hex')),
    key('10 kB', right + 'x'.repeat(10_000)),
    key('SQL', "' OR 1=1 --"),
    key('JSON', `{"$ne":"${right.slice(0, 3)}"}`),
    key('null', 'null'),
    key('__proto__', '__proto__'),
    { name: 'two headers', headers: { [header]: [right, right] } },
    { name: 'a right and a wrong header', headers: { [header]: [right, `${right}A`] } },
    { name: 'with underscores in the header', headers: { [header.replaceAll('-', '_')]: right } },
    { name: 'as bearer token', headers: { authorization: `Bearer ${right}` } },
    {
      name: 'as basic credentials',
      headers: { authorization: `Basic ${Buffer.from(`${right}:`).toString('base64')}` },
    },
    { name: 'as a cookie', headers: { cookie: `${header}=${right}` } },
    { name: 'in the query', headers: {}, query: `${header}=${right}` },
    { name: 'as secret_key in the query', headers: {}, query: `secret_key=${right}` },
  ]
}
