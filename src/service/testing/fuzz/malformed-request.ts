import fc from 'fast-check'
import type { Route } from '../../api/openapi/routes.ts'
import { malformedBody } from './malformed-body.ts'

export interface MalformedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** The valid parts from which malformed requests are made. */
export interface Ground {
  routes: readonly Route[]
  headers: Readonly<Record<string, string>>
  /** A valid body for routes whose path ends with the key. */
  bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Ids that exist. */
  ids: readonly string[]
}

const junk = fc.constantFrom(
  '%00',
  '%ff',
  '..',
  '%2e%2e%2f',
  "'",
  'null',
  '-1',
  '%F0%9F%98%80',
  'a'.repeat(3000),
  '',
)
const headerJunk = fc.constantFrom('', ' ', 'x'.repeat(300), 'ÿ', '"', ',,,', 'null', 'a b', '\t')
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .tuple(
      fc.constantFrom(
        'capture',
        'limit',
        'skip',
        'after',
        'status',
        'created_at.from',
        'type',
        '__proto__',
        'a[b]',
      ),
      fc.oneof(junk, fc.constantFrom('false', '0', '-1', '1e9', '2026-13-45', '99999999999999999999')),
    )
    .map(([name, value]) => `?${name}=${value}`),
  fc.constantFrom('?capture=false&capture=true', '?&&&', '?=', '?%', `?${'a=1&'.repeat(500)}`),
)
const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    ';',
    'a/b/c',
  ),
)
const extraHeader = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc
    .tuple(
      fc.constantFrom(
        'idempotency-key',
        'x-request-id',
        'authorization',
        'accept-encoding',
        'range',
        'if-none-match',
        'if-match',
      ),
      headerJunk,
    )
    .map(([name, value]) => ({ [name]: value })),
)
const otherMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD')

/** Requests that are wrong in one place only, so that they get past the first checks. */
export function malformedRequest({ routes, headers, bodies, ids }: Ground): fc.Arbitrary<MalformedRequest> {
  const part = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, junk)
  return fc.constantFrom(...routes).chain((route) => {
    const [, body = {}] = Object.entries(bodies).find(([end]) => route.path.endsWith(end)) ?? []
    return fc.record({
      method: fc.oneof({ weight: 15, arbitrary: fc.constant(route.method) }, otherMethod),
      path: fc
        .tuple(part, query)
        .map(([id, asked]) => route.path.replace(/\{\w+\}/g, id).replace('*', id) + asked),
      headers: fc
        .tuple(contentType, extraHeader, fc.subarray(Object.keys(headers), { minLength: 0 }))
        .map(([type, extra, lost]) => ({
          ...Object.fromEntries(
            Object.entries(headers).filter(([name]) => lost.length > 1 || !lost.includes(name)),
          ),
          'content-type': type,
          ...extra,
        })),
      body: malformedBody(body),
    })
  })
}
