import * as v from 'valibot'
import type { AttackedRoute } from '../attack-requests.ts'

/** A place in a request where a text can be put: a field of the body, by its path, or another part, by its name. */
export type Place =
  | { in: 'body'; at: readonly string[] }
  | { in: 'path'; name: string }
  | { in: 'query'; name: string }
  | { in: 'header'; name: string }

/** Headers that are read for every route. */
const HEADERS = [
  'idempotency-key',
  'x-idempotency-id',
  'x-request-id',
  'authorization',
  'x-user-secret-key',
  'x-user-public-key',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'accept-language',
  'if-none-match',
  'range',
  'origin',
  'referer',
  'cookie',
  'user-agent',
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-http-method-override',
] as const

/** Every place of a route where a text can stand. */
export function placesOf(route: AttackedRoute): Place[] {
  const names = [...route.path.matchAll(/\{(\w+)\}|\*/g)].map(([whole, name]) => name ?? whole)
  return [
    ...names.map((name) => ({ in: 'path', name }) as const),
    ...[...route.queryNames, 'unknown'].map((name) => ({ in: 'query', name }) as const),
    ...HEADERS.map((name) => ({ in: 'header', name }) as const),
    ...(route.body === null ? [] : fieldsOf(route.schema)).map((at) => ({ in: 'body', at }) as const),
    ...extraFieldsOf(route).map((at) => ({ in: 'body', at }) as const),
  ]
}

const Schema = v.object({
  properties: v.optional(v.record(v.string(), v.unknown())),
  items: v.optional(v.unknown()),
})

/** Paths to every part of a JSON Schema that has no fields of its own. */
function fieldsOf(schema: unknown): string[][] {
  const { properties, items } = v.parse(Schema, schema)
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, inner]) =>
      fieldsOf(inner).map((rest) => [name, ...rest]),
    )
  }
  return items === undefined ? [[]] : [[], ...fieldsOf(items).map((rest) => ['0', ...rest])]
}

/** Fields that the service reads or keeps, though the schema allows anything in their place. */
function extraFieldsOf({ path, body }: AttackedRoute): string[][] {
  if (body === null) return []
  if (path.endsWith('/tokens'))
    return [
      ['meta', 'note'],
      ['meta', 'deep', '0', 'note'],
    ]
  if (!path.includes('/templates')) return []
  return [
    ['content', 'schemes', '0'],
    ['content', 'fields', '0', 'field'],
    ['content', 'gateway_id'],
    ['content', 'texts', 'title'],
    ['content', 'styles', 'font_family'],
    ['content', 'element_styles', '0', 'styles', 'color'],
    ['content', 'language'],
  ]
}

/** The same value with a text at a path; lists and objects that are missing on the way are made. */
export function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text
  const fields = v.is(v.record(v.string(), v.unknown()), value) ? value : {}
  const inner = withText(Array.isArray(value) ? value[0] : fields[name], rest, text)
  return name === '0' ? [inner] : { ...fields, [name]: inner }
}
