import * as v from 'valibot'
import { isWellFormed, textOrNone } from './text.ts'

/** Texts of a merchant's own, by names of its own: an order number, a customer's id in its shop. */
export type Metadata = Readonly<Record<string, string>>

const MAX_NAMES = 50
const MAX_NAME = 40
const MAX_TEXT = 500

/** What a change of metadata does to each name: a text sets it, null takes it away. */
export type MetadataChange = Readonly<Record<string, string | null>>

/** Names that a schema of records passes over, as they belong to every object. */
const NAMES_OF_OBJECTS: readonly string[] = ['__proto__', 'prototype', 'constructor']

const Name = v.pipe(
  v.string(),
  v.nonEmpty('a name must not be empty'),
  v.maxCodePoints(MAX_NAME, `a name may have ${String(MAX_NAME)} characters`),
  v.check(isWellFormed, 'a name must be well-formed text'),
)

/** Texts by names. `text`: what the OpenAPI document says of each, as JSON Schema has no words for these checks. */
const entries = (text: { type: string | string[] }) =>
  v.pipe(
    v.custom<object>(
      (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
      'must be an object of texts',
    ),
    v.check(
      (given) => NAMES_OF_OBJECTS.every((name) => !Object.hasOwn(given, name)),
      `may have any names but ${NAMES_OF_OBJECTS.join(', ')}`,
    ),
    // Twice as many as are kept: a change may take away all that are there, and set as many others.
    v.check(
      (given) => Object.keys(given).length <= 2 * MAX_NAMES,
      `may name ${String(2 * MAX_NAMES)} texts at most`,
    ),
    v.metadata({ type: 'object', additionalProperties: text }),
    v.record(Name, textOrNone(MAX_TEXT)),
  )

/** Metadata in a `PATCH`: names that it does not have stay as they are; one that is null or empty is taken away. */
export const MetadataChange = entries({ type: ['string', 'null'] })

/** Metadata of a new thing: 50 texts at most. Those that are null or empty count as left out. */
export const Metadata = v.pipe(
  entries({ type: 'string' }),
  v.transform((given) => merged({}, given)),
  v.check((kept) => hasRoom(kept), tooMany()),
)

/** Metadata after a change. `hasRoom` says whether so much of it can be kept. */
export function merged(before: Metadata, change: MetadataChange): Metadata {
  const after = new Map<string, string | null>([...Object.entries(before), ...Object.entries(change)])
  return Object.fromEntries([...after].flatMap(([name, text]) => (text === null ? [] : [[name, text]])))
}

export function hasRoom(metadata: Metadata): boolean {
  return Object.keys(metadata).length <= MAX_NAMES
}

/** Says of metadata that has no room what to do. */
export function tooMany(): string {
  return `may hold ${String(MAX_NAMES)} texts at most; take some away by null, or put several into one`
}

/** Each has to be looked up by itself, to begin with the rarest. */
const MAX_FILTERS = 5

/** What a list is filtered by: each name with the text that it has to have. */
export const MetadataFilter = v.pipe(
  entries({ type: 'string' }),
  v.check(
    (given) => Object.keys(given).length <= MAX_FILTERS,
    `a list is filtered by ${String(MAX_FILTERS)} texts at most`,
  ),
  v.check(
    (given) => Object.values(given).every((text) => text !== null),
    'must have a text: metadata[order_id]=A1',
  ),
  v.transform((given) => merged({}, given)),
)
