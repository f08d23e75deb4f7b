import { validateHeaderValue } from 'node:http'
import * as v from 'valibot'

/** Where traces are sent to, and how many. */
export interface TracingSettings {
  /** Of an OpenTelemetry collector that takes OTLP as JSON. */
  url: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Which share of all traces is recorded; 0 to 1. */
  share: number
}

const pairs = v.pipe(
  v.optional(v.string(), ''),
  v.regex(
    /^(?:[\w-]+=[\x21-\x7e]*)?(?:,[\w-]+=[\x21-\x7e]*)*$/,
    'must be name=value pairs, separated by commas',
  ),
  v.transform((list) => list.split(',').filter((pair) => pair !== '')),
  v.check(
    (list) => list.every((pair) => !/%(?![\da-f]{2})/i.test(pair)),
    'must have values that are percent-encoded: % is %25',
  ),
  v.transform((list) => list.map(headerOf)),
  v.check((list) => list.every(([, value]) => isHeaderValue(value)), 'has a value that no header can have'),
  v.check(
    (list) => list.every(([name]) => !OF_THE_EXPORT.test(name)),
    'names a header that the export sets itself',
  ),
)

const OF_THE_EXPORT =
  /^(?:connection|content-.+|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/** Values are percent-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/), in UTF-8; what is not is left undefined. */
function headerOf(pair: string): [string, string | undefined] {
  const place = pair.indexOf('=')
  return [pair.slice(0, place).toLowerCase(), decoded(pair.slice(place + 1))]
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** By Node's own rule: a value that breaks it would fail each export. */
function isHeaderValue(value: string | undefined): value is string {
  try {
    validateHeaderValue('x', value ?? '\n')
    return true
  } catch {
    return false
  }
}

function isCollector(url: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username + password === ''
}

/** OpenTelemetry's own names, of which these are understood. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.check(isCollector, 'must be a URL such as http://localhost:4318, without user and password'),
    ),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_SERVICE_NAME: v.optional(
    v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,255}$/u, 'must be a name of 1 to 255 characters')),
    'card-service',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a share from 0 to 1'),
      v.transform(Number),
    ),
    '1',
  ),
}

/** Null: nothing is traced. */
export function tracingSettingsOf(
  variables: v.InferOutput<v.ObjectSchema<typeof tracingVariables, undefined>>,
): TracingSettings | null {
  const endpoint = variables.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return null
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(
      variables.OTEL_EXPORTER_OTLP_HEADERS.map(([name, value]) => [name, value ?? '']),
    ),
    serviceName: variables.OTEL_SERVICE_NAME,
    share: variables.OTEL_TRACES_SAMPLER_ARG,
  }
}
