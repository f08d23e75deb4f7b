import { isDeepStrictEqual } from 'node:util'
import { isJson } from '../../api/openapi/json-schema.ts'
import type { Json } from '../../api/openapi/json-schema.ts'

interface Placed {
  /** The document that the references of the schema lead into. */
  document: Json
  schema: unknown
}
type Side = 'request' | 'answer'

/**
 * Where the schema `is` breaks a caller who knows `was`: a request that was taken may be refused now, or an answer may hold what the caller does
 * not expect. Each fault is a path within the value, and words.
 */
export function narrowerThan(was: Placed, is: Placed, side: Side): string[] {
  const given = side === 'request' ? was : is
  const expected = side === 'request' ? is : was
  return new Comparison(given.document, expected.document, side).faultsOf(given.schema, expected.schema, '')
}

/** Keywords that say nothing about which values are right. */
const WORDS = new Set(['description', 'title', 'example', 'examples', 'deprecated', '$comment'])
/** A bound is kept by a value of `given` if the own bound of `given` is as tight. */
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
const OF_OBJECTS = new Set(['properties', 'required', 'additionalProperties'])
const OF_VALUES = new Set(['type', 'enum', 'const'])

/** Whether all that `given` describes is within what `expected` describes. */
class Comparison {
  /** Pairs that are being compared: a schema may hold itself. */
  readonly #open = new Set<string>()
  readonly #given: Json
  readonly #expected: Json
  readonly #side: Side

  constructor(given: Json, expected: Json, side: Side) {
    this.#given = given
    this.#expected = expected
    this.#side = side
  }

  faultsOf(given: unknown, expected: unknown, at: string): string[] {
    const pair = `${refOf(given)} ${refOf(expected)}`
    if (refOf(given) !== '' && refOf(expected) !== '') {
      if (this.#open.has(pair)) return []
      this.#open.add(pair)
    }
    const [ones, others] = [choicesOf(given, this.#given), choicesOf(expected, this.#expected)]
    const faults = ones.flatMap((one) => {
      const each = others.map((other) => this.#faultsOfChoice(one, other, at))
      return each.toSorted((left, right) => left.length - right.length)[0] ?? []
    })
    this.#open.delete(pair)
    return [...new Set(faults)]
  }

  #faultsOfChoice(given: Json, expected: Json, at: string): string[] {
    const faults = [
      ...(this.#areValuesWithin(given, expected, at) ? [] : ['has other values']),
      ...[...new Set([...Object.keys(given), ...Object.keys(expected)])]
        .filter((key) => !WORDS.has(key) && !OF_OBJECTS.has(key) && !OF_VALUES.has(key) && key !== 'items')
        .filter((key) => !isWithin(key, given[key], expected[key]))
        .map((key) => `${key} is another`),
    ].map((words) => `${at === '' ? 'it' : at} ${words}`)
    const items = 'items' in expected ? this.faultsOf(given['items'] ?? {}, expected['items'], `${at}[]`) : []
    return [...faults, ...items, ...this.#faultsOfObject(given, expected, at)]
  }

  #areValuesWithin(given: Json, expected: Json, at: string): boolean {
    const isInteger = given['type'] === 'integer' && expected['type'] === 'number'
    const isType = expected['type'] === undefined || given['type'] === expected['type'] || isInteger
    const [sent, known] = [valuesOf(given), valuesOf(expected)]
    if (known === null) return isType || sent?.every((one) => typeof one === expected['type']) === true
    if (this.#side === 'answer' && (at === 'error.code' || this.#areEventTypes(known))) return true
    return sent?.every((value) => known.some((one) => isDeepStrictEqual(one, value))) === true
  }

  /** Lists of error codes and of types of events are open: docs tell callers to leave what they do not know. */
  #areEventTypes(known: readonly unknown[]): boolean {
    const { webhooks } = this.#expected
    return (
      known.length > 1 && isJson(webhooks) && known.every((one) => typeof one === 'string' && one in webhooks)
    )
  }

  #faultsOfObject(given: Json, expected: Json, at: string): string[] {
    const [sent, known] = [propertiesOf(given), propertiesOf(expected)]
    const placeOf = (name: string) => (at === '' ? name : `${at}.${name}`)
    const missing = namesIn(expected['required']).filter((name) => !namesIn(given['required']).includes(name))
    const gone = this.#side === 'request' ? without(sent, known) : without(known, sent)
    const faults = Object.entries(sent).flatMap(([name, schema]) =>
      name in known ? this.faultsOf(schema, known[name], placeOf(name)) : [],
    )
    const isClosed = expected['additionalProperties'] === false && given['additionalProperties'] !== false
    return [
      ...(this.#side === 'request' ? gone : gone.filter((name) => !missing.includes(name))).map(
        (name) => `${placeOf(name)} is gone`,
      ),
      ...missing.map(
        (name) => `${placeOf(name)} ${this.#side === 'request' ? 'is required now' : 'may be missing now'}`,
      ),
      ...(this.#side === 'request' && isClosed
        ? [`${at === '' ? 'it' : at} takes no other fields any more`]
        : []),
      ...faults,
      ...this.#faultsOfOthers(given, expected, at),
    ]
  }

  /** Of fields without a name: a record of texts, for example. */
  #faultsOfOthers(given: Json, expected: Json, at: string): string[] {
    const [sent, known] = [given['additionalProperties'], expected['additionalProperties']]
    if (!isJson(known)) return []
    return sent === false ? [] : this.faultsOf(isJson(sent) ? sent : {}, known, `${at}.*`)
  }
}

const refOf = (schema: unknown): string =>
  isJson(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : ''

/** A schema as alternatives of one type each, without references; what stands beside a keyword holds for each of its choices. */
function choicesOf(schema: unknown, document: Json): Json[] {
  if (!isJson(schema)) return [{}]
  const { $ref, anyOf, oneOf, allOf, type, ...rest } = schema
  const alternatives = [
    typeof $ref === 'string' ? choicesOf(resolved($ref, document), document) : undefined,
    ...[anyOf, oneOf].map((all) =>
      Array.isArray(all) ? all.flatMap((one: unknown) => choicesOf(one, document)) : undefined,
    ),
    ...(Array.isArray(allOf) ? allOf.map((one: unknown) => choicesOf(one, document)) : []),
    Array.isArray(type) ? type.map((one: unknown): Json => ({ type: one })) : undefined,
  ].filter((one) => one !== undefined)
  const own: Json = type === undefined || Array.isArray(type) ? rest : { ...rest, type }
  return alternatives.reduce<Json[]>(
    (all, more) => all.flatMap((one) => more.map((other) => both(other, one))),
    [own],
  )
}

/** Two schemas that both hold. Where both say something of a property, the second one says it more exactly. */
const both = (one: Json, other: Json): Json => ({
  ...one,
  ...other,
  ...('properties' in one &&
    'properties' in other && {
      properties: { ...propertiesOf(one), ...propertiesOf(other) },
    }),
})

function resolved(ref: string, document: Json): unknown {
  return ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), document)
}

const propertiesOf = ({ properties }: Json): Json => (isJson(properties) ? properties : {})
const namesIn = (required: unknown): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
const without = (all: Json, others: Json): string[] => Object.keys(all).filter((name) => !(name in others))

const valuesOf = (schema: Json): readonly unknown[] | null =>
  'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : null

function isWithin(key: string, given: unknown, expected: unknown): boolean {
  if (expected === undefined && key !== 'default') return true
  if (typeof given === 'number' && typeof expected === 'number') {
    if (LOWER.has(key)) return given >= expected
    if (UPPER.has(key)) return given <= expected
  }
  return isDeepStrictEqual(given, expected)
}
