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
)

/** OpenTelemetry's own names, of which these are understood. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^?#]+$/, 'must be a URL such as http://localhost:4318')),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_SERVICE_NAME: v.optional(v.string(), 'card-service'),
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
  const list = variables.OTEL_EXPORTER_OTLP_HEADERS.split(',').filter((pair) => pair !== '')
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(list.map(headerOf)),
    serviceName: variables.OTEL_SERVICE_NAME,
    share: variables.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** Values are percent-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). */
function headerOf(pair: string): [string, string] {
  const place = pair.indexOf('=')
  const value = pair.slice(place + 1)
  return [
    pair.slice(0, place).toLowerCase(),
    /%(?![\da-f]{2})/i.test(value) ? value : decodeURIComponent(value),
  ]
}
