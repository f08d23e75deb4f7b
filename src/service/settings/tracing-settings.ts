import { validateHeaderValue } from 'node:http'
import * as v from 'valibot'
import type { BatchSettings, CollectorSettings, SamplerName, TracingSettings } from '../platform/tracing.ts'

/** OpenTelemetry's: empty is the same as not set. */
const unlessEmpty = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => (text === '' ? undefined : text)),
)

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies SamplerName[]

/** Pairs whose values are percent-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/), in UTF-8. */
const pairs = v.pipe(
  v.optional(v.string(), ''),
  v.regex(
    /^(?:[\w.-]+=[\x21-\x7e]*)?(?:,[\w.-]+=[\x21-\x7e]*)*$/,
    'must be name=value pairs, separated by commas',
  ),
  v.transform((list) => list.split(',').filter((pair) => pair !== '')),
  v.check(
    (list) => list.every((pair) => !/%(?![\da-f]{2})/i.test(pair)),
    'must have values that are percent-encoded: % is %25',
  ),
  v.transform((list) => list.map(decodedPair)),
)

const headers = v.pipe(
  pairs,
  v.check((list) => list.every(([, value]) => isHeaderValue(value)), 'has a value that no header can have'),
  v.check(
    (list) => list.every(([name]) => !OF_THE_EXPORT.test(name)),
    'names a header that the export sets itself',
  ),
  v.transform((list) => list.map(([name, value]): [string, string] => [name.toLowerCase(), value ?? ''])),
  v.transform((list) => Object.fromEntries(list)),
)

const OF_THE_EXPORT =
  /^(?:connection|content-.+|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i

/** What is not UTF-8 is left undefined. */
function decodedPair(pair: string): [string, string | undefined] {
  const place = pair.indexOf('=')
  try {
    return [pair.slice(0, place), decodeURIComponent(pair.slice(place + 1))]
  } catch {
    return [pair.slice(0, place), undefined]
  }
}

/** By Node's own rule: a value that breaks it would fail each export. */
function isHeaderValue(value: string | undefined): boolean {
  try {
    validateHeaderValue('x', value ?? '\n')
    return true
  } catch {
    return false
  }
}

const resource = v.pipe(
  pairs,
  v.check(
    (list) => list.every(([, value]) => value !== undefined && /^[^\p{Cc}]{0,255}$/u.test(value)),
    'must have values of up to 255 characters, in UTF-8',
  ),
  v.transform((list) => list.map(([name, value]): [string, string] => [name, value ?? ''])),
  v.transform((list) => Object.fromEntries(list)),
)

function isCollector(url: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username + password === ''
}

const collectorUrl = v.pipe(
  unlessEmpty,
  v.optional(
    v.pipe(
      v.string(),
      v.check(isCollector, 'must be a URL such as http://localhost:4318, without user and password'),
    ),
  ),
)

const wholeNumber = (digits: number, words: string) =>
  v.pipe(
    unlessEmpty,
    v.optional(
      v.pipe(
        v.string(),
        v.regex(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`), `must be a whole number of ${words}`),
        v.transform(Number),
      ),
    ),
  )
const milliseconds = wholeNumber(6, 'ms from 1 to 999999')
const spans = wholeNumber(5, 'spans from 1 to 99999')

const oneOf = <const Options extends readonly [string, ...string[]]>(options: Options, words: string) =>
  v.pipe(unlessEmpty, v.optional(v.picklist(options, `must be ${words}`)))
const protocol = oneOf(['http/protobuf', 'http/json'], 'http/protobuf or http/json')

/** OpenTelemetry's own names, of which these are understood. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: v.pipe(
    unlessEmpty,
    v.optional(v.pipe(v.string(), v.toLowerCase(), v.picklist(['true', 'false'], 'must be true or false'))),
  ),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'console', 'none'], 'otlp, console or none'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers,
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds,
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: milliseconds,
  OTEL_SERVICE_NAME: v.pipe(
    unlessEmpty,
    v.optional(v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,255}$/u, 'must be a name of 1 to 255 characters'))),
  ),
  OTEL_RESOURCE_ATTRIBUTES: resource,
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS, SAMPLERS.join(', ').replace(/, (?=\w+$)/, ' or ')),
  OTEL_TRACES_SAMPLER_ARG: v.pipe(
    unlessEmpty,
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a share from 0 to 1'),
        v.transform(Number),
      ),
      '1',
    ),
  ),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds,
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds,
  OTEL_BSP_MAX_QUEUE_SIZE: spans,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: spans,
}

type Variables = v.InferOutput<v.ObjectSchema<typeof tracingVariables, undefined>>

/** Null: nothing is traced, as nothing says where to. */
export function tracingSettingsOf(variables: Variables): TracingSettings | null {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_SDK_DISABLED: isDisabled } = variables
  const isNamed =
    (variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined
  if (isDisabled === 'true' || exporter === 'none' || (exporter === undefined && !isNamed)) return null
  const name = variables.OTEL_SERVICE_NAME
  return {
    collector: exporter === 'console' ? null : collectorOf(variables),
    resource: {
      'service.name': 'card-service',
      ...variables.OTEL_RESOURCE_ATTRIBUTES,
      ...(name !== undefined && { 'service.name': name }),
    },
    sampler: { name: variables.OTEL_TRACES_SAMPLER, share: variables.OTEL_TRACES_SAMPLER_ARG },
    batches: batchesOf(variables),
  }
}

/** What is said of traces alone goes before what is said of every signal. */
function collectorOf(variables: Variables): CollectorSettings {
  const base = variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? 'http://localhost:4318'
  const timeoutMs =
    variables.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? variables.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000
  return {
    url: variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base.replace(/\/+$/, '')}/v1/traces`,
    protocol:
      variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ??
      variables.OTEL_EXPORTER_OTLP_PROTOCOL ??
      'http/protobuf',
    headers: { ...variables.OTEL_EXPORTER_OTLP_HEADERS, ...variables.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeoutMs: Math.min(timeoutMs, variables.OTEL_BSP_EXPORT_TIMEOUT ?? 30_000),
  }
}

function batchesOf(variables: Variables): BatchSettings {
  const maxWaiting = variables.OTEL_BSP_MAX_QUEUE_SIZE ?? 2048
  return {
    everyMs: variables.OTEL_BSP_SCHEDULE_DELAY ?? 5000,
    maxWaiting,
    maxAtOnce: Math.min(variables.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512, maxWaiting),
  }
}
