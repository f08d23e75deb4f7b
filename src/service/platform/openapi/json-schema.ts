import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { Amount } from '../../../contract/api/amount.ts'
import { Meta } from '../../../contract/api/payment-source-token.ts'

/** A piece of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

/** Schemas whose wire form is another one than their parsed form, or says more than its parts do. */
const named = { Amount, Meta }

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
  Meta: {
    description: 'Any JSON of yours: at most 4096 characters and 5 levels deep.',
    type: 'object',
    additionalProperties: true,
  },
}

/**
 * JSON Schema (2020-12) of what crosses the wall: checks that JSON Schema has no words for are left out, so what it
 * refuses the service refuses too, but not always the other way round. `words` describe fields by their paths.
 */
export function jsonSchemaOf(schema: GenericSchema, words: Readonly<Record<string, string>> = {}): Json {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    definitions: named,
    overrideRef: ({ referenceId }) => refTo(referenceId),
  })
  const own = Object.entries(converted).filter(([name]) => name !== '$schema' && name !== '$defs')
  return withWords(Object.fromEntries(own), '', words)
}

export const refTo = (name: string): string => `#/components/schemas/${name}`

function withWords(schema: Json, path: string, words: Readonly<Record<string, string>>): Json {
  const description = words[path] === undefined ? {} : { description: words[path] }
  const { properties } = schema
  if (!isJson(properties)) return { ...schema, ...description }
  const named = Object.entries(properties).map(([name, inner]) => {
    const innerPath = path === '' ? name : `${path}.${name}`
    return [name, isJson(inner) ? withWords(inner, innerPath, words) : inner]
  })
  return { ...schema, ...description, properties: Object.fromEntries(named) }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
