import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { GenericSchema } from 'valibot'
import { Amount } from '../../../contract/api/fields/amount.ts'
import { EventData } from '../../../contract/api/event-resource.ts'
import { Meta } from '../../../contract/api/charges/payment-source-token.ts'
import { fieldDescription } from './field-words.ts'

/** A piece of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

export const refTo = (name: string): string => `#/components/schemas/${name}`

/** Schemas whose wire form is another one than their parsed form, or says more than its parts do. */
const named = { Amount, EventData, Meta }

/** What `data` of an event holds, by the first part of its type. */
export const EVENT_RESOURCES: Readonly<Record<string, string>> = {
  charge: 'Charge',
  dispute: 'Dispute',
  checkout: 'CheckoutWithJourney',
  agreement: 'Agreement',
  payment: 'AgreementPayment',
}

/** How those look on the wire: `components.schemas` of the document. */
export const namedSchemas: Readonly<Record<keyof typeof named, Json>> = {
  Amount: {
    description: 'Units of the currency with at most two decimals, from 0.01 to 9999999.99.',
    anyOf: [
      { type: 'string', pattern: String.raw`^\d{1,9}(?:\.\d{1,2})?$` },
      { type: 'number', exclusiveMinimum: 0, maximum: 9_999_999.99 },
    ],
    examples: ['10.00'],
  },
  EventData: {
    description:
      'By the `type` of the event: a charge, a dispute, a checkout, an agreement, or a payment of one.',
    anyOf: Object.values(EVENT_RESOURCES).map((name) => ({ $ref: refTo(name) })),
  },
  Meta: {
    description: 'Any JSON of yours: at most 4096 characters and 5 levels deep.',
    type: 'object',
    additionalProperties: true,
  },
}

/** A schema with the name under which its fields are described, and words of its own by their paths (`customer.email`). */
interface Worded {
  name: string
  schema: GenericSchema
  words?: Readonly<Record<string, string>>
}

/**
 * JSON Schema (2020-12) of what crosses the wall. Checks that it can't express are left out, so the service may refuse what it
 * allows. Of what it refuses, the service takes only optional fields of bodies that are null or `""`, which count as left out
 * (contract §2).
 */
export function jsonSchemaOf({ name, schema, words = {} }: Worded): Json {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    definitions: named,
    overrideSchema: ({ valibotSchema }) => (v.is(AlwaysEmpty, valibotSchema) ? ALWAYS_EMPTY : undefined),
    overrideRef: ({ referenceId }) => refTo(referenceId),
  })
  const own = Object.entries(converted).filter(([key]) => key !== '$schema' && key !== '$defs')
  return withWords(
    Object.fromEntries(own),
    [],
    (path) => words[path.join('.')] ?? fieldDescription([name, ...path]),
  )
}

/** A list of nothing. Generators of clients know `maxItems`, but few know `not`. */
const AlwaysEmpty = v.looseObject({
  type: v.literal('array'),
  item: v.looseObject({ type: v.literal('never') }),
})
const ALWAYS_EMPTY = { type: 'array', items: {}, maxItems: 0 } as const

/** Keywords that hold other schemas of the same value, or of its items. */
const NESTING = ['anyOf', 'oneOf', 'allOf', 'items', 'additionalProperties']

type Say = (path: readonly string[]) => string | undefined

/** A schema whose properties have their words, at every depth. */
function withWords(schema: Json, path: readonly string[], say: Say): Json {
  const inner = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties' && isJson(value)) return [key, propertiesWithWords(value, path, say)]
    return [key, NESTING.includes(key) ? nested(value, path, say) : value]
  })
  return Object.fromEntries(inner)
}

function propertiesWithWords(properties: Json, path: readonly string[], say: Say): Json {
  const worded = Object.entries(properties).map(([name, inner]): [string, unknown] => {
    const own = [...path, name]
    const words = say(own)
    if (!isJson(inner)) return [name, inner]
    return [name, { ...withWords(inner, own, say), ...(words !== undefined && { description: words }) }]
  })
  return Object.fromEntries(worded)
}

function nested(value: unknown, path: readonly string[], say: Say): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => nested(one, path, say))
  return isJson(value) ? withWords(value, path, say) : value
}

/**
 * The same document, in which a text that may be null has `type: ["string", "null"]`: of `anyOf` with null, generators of clients make a class of its
 * own for each such field.
 */
export function withPlainNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNulls)
  if (!isJson(value)) return value
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withPlainNulls(inner)]),
  )
  const [one, other, ...more] = Array.isArray(anyOf) ? anyOf.filter(isJson) : []
  const isPlain =
    one !== undefined && ['string', 'integer', 'number', 'boolean'].some((type) => type === one['type'])
  if (isPlain && !('enum' in one) && other?.['type'] === 'null' && more.length === 0)
    return { ...one, type: [one['type'], 'null'], ...rest }
  return anyOf === undefined ? rest : { anyOf, ...rest }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
