import type { Operation } from '../../../platform/http/operation.ts'
import type { DescribedRoute } from '../../openapi/document.ts'

/** A request that a reader can make as it stands, with keys and ids in variables of the shell (`$SECRET_KEY`). */
export interface ExampleRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  /** Whether the client of `$CLIENT_ID` is named by HTTP Basic. */
  basic: boolean
  body: { form?: Readonly<Record<string, string>>; json?: unknown } | undefined
  /** Whether its answer is in the envelope of the service. */
  answersEnvelope: boolean
}

/** The header that carries each kind of key, with the name that README.md and docs/checkout.md give it. */
const KEY_HEADERS: Readonly<Record<Exclude<Operation['key'], 'none'>, readonly [string, string]>> = {
  public: ['x-user-public-key', '$PUBLIC_KEY'],
  secret: ['x-user-secret-key', '$SECRET_KEY'],
  oauth: ['authorization', 'Bearer $ACCESS_TOKEN'],
  checkout: ['authorization', 'Bearer $INTENT_TOKEN'],
  metrics: ['authorization', 'Bearer $SVC_METRICS_TOKEN'],
}

/** The example of an operation, at a service's address. */
export function exampleRequest({ method, path, operation }: DescribedRoute, baseUrl: string): ExampleRequest {
  const { key, params, query, body, isRepeatable, answers } = operation
  const address = path.replace(
    /\{(\w+)\}/g,
    (_text, name: string) => params?.example?.[name] ?? `$${name.toUpperCase()}`,
  )
  const search = new URLSearchParams(query?.example).toString()
  const isForm = body?.isForm === true
  return {
    method,
    url: `${baseUrl}${address}${search === '' ? '' : `?${search}`}`,
    headers: [
      ...(key === 'none' ? [] : [KEY_HEADERS[key]]),
      ...(isRepeatable === true ? [['idempotency-key', '$KEY'] as const] : []),
      ...(body === undefined || isForm ? [] : [['content-type', 'application/json'] as const]),
    ],
    basic: isForm,
    body: body === undefined ? undefined : isForm ? { form: textsOf(body.example) } : { json: body.example },
    answersEnvelope: answers[0]?.resource !== undefined,
  }
}

/** A variable of the shell in a text, such as `$ID`. */
export const URL_VARIABLE = /\$([A-Z][A-Z_]*)/g

export const variablesIn = (text: string): string[] =>
  [...text.matchAll(URL_VARIABLE)].map(([, name = '']) => name)

function textsOf(example: unknown): Record<string, string> {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : []
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}
