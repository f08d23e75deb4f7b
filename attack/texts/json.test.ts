import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf, rightRequest } from '../attack-requests.ts'
import type { AttackedRoute } from '../attack-requests.ts'
import { countAttack } from '../counted.ts'
import { faultOf } from '../fault-of.ts'
import { jsonCases } from './json-texts.ts'
import type { JsonCase } from './json-texts.ts'
import { someOf } from '../strength.ts'
import { createTarget, makeFixtures } from '../target.ts'
import type { Fixtures, RawAnswer, Target } from '../target.ts'

let target: Target
beforeAll(async () => {
  target = await createTarget()
})
afterAll(() => target.close())

/** What the routes take that need least, in bytes. */
const LEAST_LIMIT = 1024

/** Says in words where the service took something for JSON that is not, or did not take valid JSON. */
function misreading({ verdict, bytes }: JsonCase, { status, text }: RawAnswer): string | null {
  const isRefused = status === 400 || (status === 413 && bytes.length > LEAST_LIMIT)
  // Whitespace alone counts as no body, and a capture may have none.
  const isNoBody = bytes.toString().trim() === ''
  if (verdict === 'n' && !isNoBody && !isRefused) return `no JSON, and yet answered ${String(status)}`
  return verdict === 'y' && text.includes('not well-formed') ? 'JSON, and not taken for it' : null
}

async function tryOne(route: AttackedRoute, one: JsonCase, fixtures: Fixtures) {
  const right = await rightRequest(target, route, fixtures)
  const answer = await target.send({ ...right, body: one.bytes })
  const { status, text } = answer
  const misread = misreading(one, answer)
  const fault = faultOf(answer, target.secretsFor(route.path)) ?? misread
  const where = `${one.name}: ${route.method} ${route.path} ${text.slice(0, 200)}`
  return { status, fault: fault === null ? null : `${fault}: ${where}` }
}

describe('bodies that are no JSON, hardly JSON, or JSON of another kind', () => {
  it('are refused by every route that takes a body', async (context) => {
    const statuses: number[] = []
    const faults: string[] = []
    const routes = (await routesOf(target)).filter(({ body }) => body !== null)
    for (const [offset, route] of routes.entries()) {
      const fixtures = await makeFixtures(target.service)
      for (const one of someOf(jsonCases, 30, offset)) {
        const { status, fault } = await tryOne(route, one, fixtures)
        statuses.push(status)
        if (fault !== null) faults.push(fault)
      }
      await target.send({
        method: 'DELETE',
        path: `/v1/webhooks/${fixtures.webhookId}`,
        headers: { 'x-user-secret-key': target.service.merchant.secretKey },
      })
    }
    countAttack(context, statuses)
    expect(faults.slice(0, 10)).toEqual([])
    await target.mustBeWell()
  })

  it('add nothing to what every object has', () => {
    expect({}).not.toHaveProperty('preAuth')
    expect({}).not.toHaveProperty('isAdmin')
  })
})
