import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isJson } from '../../api/openapi/json-schema.ts'
import { breakingChanges } from './breaking-changes.ts'

const Document = v.record(v.string(), v.unknown())
/** A few paths of a real document: the table is long, and each row compares all of it. */
const PATHS = [
  '/health',
  '/v1/charges',
  '/v1/charges/{id}/capture',
  '/v1/events',
  '/v1/webhooks',
  '/v1/webhooks/{id}',
  '/agreements',
]
const before = onlyOf(v.parse(Document, JSON.parse(readFileSync('openapi/1.2.0.json', 'utf8'))))

function onlyOf({ paths, ...document }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = v.parse(Document, paths)
  return { ...document, paths: Object.fromEntries(PATHS.map((path) => [path, all[path]])) }
}

/** Another value at a place of the document; undefined takes away what is there. */
function put(value: unknown, [name, ...rest]: readonly string[], make: (old: unknown) => unknown): unknown {
  if (name === undefined) return make(value)
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) => (String(index) === name ? put(one, rest, make) : one))
  }
  const fields = isJson(value) ? value : {}
  const made = put(fields[name], rest, make)
  const others = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
  return made === undefined ? others : { ...others, [name]: made }
}

const CHARGES = 'paths /v1/charges post'
const EVENTS = 'paths /v1/events get'
const CHARGE = 'components schemas Charge'
const BODY = 'components schemas CreateCharge'
const WEBHOOK = 'components schemas CreateWebhook'
const JSON_SCHEMA = 'content application/json schema'

const gone = () => undefined
const is = (value: unknown) => () => value
const plus = (one: unknown) => (all: unknown) => [
  ...(Array.isArray(all) ? v.parse(v.array(v.unknown()), all) : []),
  one,
]
const less = (one: unknown) => (all: unknown) =>
  v.parse(v.array(v.unknown()), all).filter((other) => other !== one)
const query = (name: string, more: object = {}) =>
  plus({ name, in: 'query', required: false, schema: { type: 'string' }, ...more })
const twin = (name: string, of: string) => (all: unknown) => ({
  ...v.parse(Document, all),
  [name]: v.parse(Document, all)[of],
})
const parameters = v.array(v.looseObject({ name: v.string(), schema: v.looseObject({}) }))
const renamed = (from: string, to: string) => (all: unknown) => put(twin(to, from)(all), [from], gone)

type Change = readonly [name: string, place: string, make: (old: unknown) => unknown]

const BREAKING: readonly Change[] = [
  ['a path is removed', 'paths /v1/events', gone],
  ['a method is removed', 'paths /v1/webhooks/{id} delete', gone],
  ['a path is renamed', 'paths', renamed('/v1/events', '/v1/happenings')],
  ['an operation is renamed', `${CHARGES} operationId`, is('charge')],
  ['a field of an answer is removed', `${CHARGE} properties currency`, gone],
  ['a field of an answer may be missing', `${CHARGE} required`, less('currency')],
  ['a field of an answer may be null', `${CHARGE} properties currency type`, is(['string', 'null'])],
  ['a field of an answer has another type', `${CHARGE} properties amount type`, is('string')],
  ['an answer has a further value', `${CHARGE} properties status enum`, plus('lost')],
  ['a request loses a value', `${WEBHOOK} properties events items enum`, less('charge.refunded')],
  ['a request has a new required field', `${BODY} required`, plus('note')],
  ['a field of a request is required now', `${BODY} required`, plus('reference')],
  ['a field of a request is removed', `${BODY} properties reference`, gone],
  ['a text of a request is shorter', `${BODY} properties reference maxLength`, is(3)],
  ['a text of a request has a limit', `${WEBHOOK} properties url maxLength`, is(3)],
  ['a text of a request has another pattern', 'components schemas Amount anyOf 0 pattern', is('^1$')],
  ['a request loses a type', 'components schemas Amount anyOf 1', is({ type: 'null' })],
  ['a request has another default', `${BODY} properties reference default`, is('none')],
  ['a keyword that is not known comes', `${BODY} properties reference contentEncoding`, is('base64')],
  ['a body is required now', 'paths /v1/charges/{id}/capture post requestBody required', is(true)],
  [
    'a body is taken as another type',
    `${CHARGES} requestBody content`,
    renamed('application/json', 'text/plain'),
  ],
  ['a parameter is new and required', `${EVENTS} parameters`, query('since', { required: true })],
  [
    'a parameter is removed',
    `${EVENTS} parameters`,
    (all) => v.parse(parameters, all).filter(({ name }) => name !== 'limit'),
  ],
  [
    'a parameter is narrower',
    `${EVENTS} parameters`,
    (all) =>
      v
        .parse(parameters, all)
        .map((one) => (one.name === 'limit' ? { ...one, schema: { ...one.schema, maximum: 10 } } : one)),
  ],
  ['another key is asked for', `${CHARGES} security`, is([{ oauth: ['charges:write'] }])],
  ['a key is asked for where none was', 'paths /health get security', is([{ secret: [] }])],
  [
    'a further scope is asked for',
    'paths /agreements get security',
    is([{ oauth: ['agreements:read', 'more'] }]),
  ],
  ['a key is sent in another header', 'components securitySchemes secret name', is('x-key')],
  ['a good answer has another status', `${CHARGES} responses`, renamed('201', '202')],
  ['a good answer of another status is new', `${CHARGES} responses`, twin('202', '201')],
  [
    'an answer is of another type',
    `${CHARGES} responses 201 content`,
    renamed('application/json', 'text/plain'),
  ],
  ['a header of an answer is removed', `${CHARGES} responses 201 headers Idempotent-Replayed`, gone],
  [
    'the resource has another name',
    `${CHARGES} responses 201 ${JSON_SCHEMA} properties resource properties type const`,
    is('payment'),
  ],
  ['an event is removed', 'webhooks charge.refunded', gone],
  [
    'an event has other data',
    `webhooks charge.refunded post requestBody ${JSON_SCHEMA} properties data $ref`,
    is('#/components/schemas/Checkout'),
  ],
]

const HARMLESS: readonly Change[] = [
  ['nothing changes', 'info', (old) => old],
  ['a path is added', 'paths', twin('/v1/happenings', '/v1/events')],
  ['a method is added', 'paths /v1/events', twin('put', 'get')],
  ['a field of an answer is added', `${CHARGE} properties note`, is({ type: 'string' })],
  ['a field of an answer is never null now', `${CHARGE} properties reference`, is({ type: 'string' })],
  ['an answer loses a value', `${CHARGE} properties status enum`, less('refunded')],
  ['a field of an answer is always there now', `${CHARGE} required`, plus('note')],
  ['a request has a further value', `${WEBHOOK} properties events items enum`, plus('charge.lost')],
  ['a request has a new optional field', `${BODY} properties note`, is({ type: 'string' })],
  ['a field of a request may be left out', `${BODY} required`, less('currency')],
  ['a text of a request may be longer', `${BODY} properties reference maxLength`, is(9999)],
  ['a field of a request may be null', `${BODY} properties reference type`, is(['string', 'null'])],
  ['a parameter is new and optional', `${EVENTS} parameters`, query('since')],
  ['parameters are in another order', `${EVENTS} parameters`, (all) => v.parse(parameters, all).toReversed()],
  ['no key is asked for any more', `${CHARGES} security`, is([])],
  ['another key is taken, too', `${CHARGES} security`, plus({ oauth: ['charges:write'] })],
  ['an error comes by a new status', `${CHARGES} responses`, twin('418', '429')],
  ['an error comes by another status', `${CHARGES} responses 429`, gone],
  ['an error has a further code', 'components schemas ErrorCode enum', plus('too_late')],
  ['an event is added', 'webhooks', twin('charge.lost', 'charge.refunded')],
  ['an event of a new type is listed', 'components schemas Event properties type enum', plus('charge.lost')],
  ['words change', `${CHARGES} summary`, is('Pay')],
  ['words of a field change', `${CHARGE} properties amount description`, is('How much.')],
  ['an example changes', `${CHARGES} responses 201 content application/json example`, is({})],
  ['the service has another address', 'servers 0 url', is('https://cards.example')],
  [
    'a schema stands in place of its name',
    `${CHARGES} responses 201 ${JSON_SCHEMA} properties resource properties data`,
    is(schemaOf('Charge')),
  ],
]

function schemaOf(name: string): unknown {
  return v.parse(v.object({ schemas: Document }), before['components']).schemas[name]
}

/** The words of the change, and that the place of the row exists: a row that changes nothing would show nothing. */
function changesOf([, place, make]: Change): string[] {
  const after = put(before, place.split(' '), make)
  expect(place === 'info' || JSON.stringify(after) !== JSON.stringify(before)).toBe(true)
  return breakingChanges(before, v.parse(Document, after))
}

describe('a change of the document', () => {
  it.each(BREAKING)('breaks callers: %s', (...change) => {
    expect(changesOf(change)).not.toEqual([])
  })

  it.each(HARMLESS)('breaks nobody: %s', (...change) => {
    expect(changesOf(change)).toEqual([])
  })

  it('is named by its operation, its side and the path of the field', () => {
    expect(changesOf(['', `${BODY} required`, plus('note')])).toEqual([
      'POST /v1/charges: body: note is required now',
    ])
  })
})
