import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example:4318/' }

it.each([
  {},
  { OTEL_SERVICE_NAME: 'pay', OTEL_EXPORTER_OTLP_HEADERS: 'a=1' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: '' },
  { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
  { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' },
])('nothing is traced by %o', (settings) => {
  expect(readConfig(settings).tracing).toBeNull()
})

it('a collector is enough, all else is as the standard has it', () => {
  expect(readConfig(ENDPOINT).tracing).toEqual({
    collector: {
      url: 'https://otel.example:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      timeoutMs: 10_000,
    },
    resource: { 'service.name': 'card-service' },
    sampler: { name: undefined, share: 1 },
    batches: { everyMs: 5000, maxWaiting: 2048, maxAtOnce: 512 },
  })
})

it("OpenTelemetry's own variables say where to, how and how much", () => {
  const settings = {
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc=,x-tenant=7',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_SERVICE_NAME: 'pay',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,host.name=a%2Cb',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_SCHEDULE_DELAY: '1000',
    OTEL_BSP_EXPORT_TIMEOUT: '2000',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  }
  expect(readConfig(settings).tracing).toEqual({
    collector: {
      url: 'https://otel.example:4318/v1/traces',
      protocol: 'http/json',
      headers: { authorization: 'Basic abc=', 'x-tenant': '7' },
      timeoutMs: 2000,
    },
    resource: { 'service.name': 'pay', 'host.name': 'a,b' },
    sampler: { name: 'parentbased_traceidratio', share: 0.25 },
    batches: { everyMs: 1000, maxWaiting: 100, maxAtOnce: 100 },
  })
})

it('what is said of traces alone goes before what is said of every signal', () => {
  const settings = {
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/as-it-is',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'B=2',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
  }
  expect(readConfig(settings).tracing?.collector).toEqual({
    url: 'http://traces.example/as-it-is',
    protocol: 'http/protobuf',
    headers: { a: '1', b: '2' },
    timeoutMs: 2,
  })
})

it.each([
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
  [{ OTEL_TRACES_EXPORTER: 'console', ...ENDPOINT }, undefined],
])('the exporter may be named: %o', (settings, url) => {
  const { tracing } = readConfig(settings)
  expect(tracing).not.toBeNull()
  expect(tracing?.collector?.url).toBe(url)
})

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'otel:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, /^OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318 /' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:99999' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:p%ZZ@otel' }, /^OTEL_EXPORTER_OTLP_ENDPOINT .*without user/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%ZZ' }, /^OTEL_EXPORTER_OTLP_HEADERS must have values .*percent-encoded/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0d%0ac' }, /^OTEL_EXPORTER_OTLP_HEADERS has a value that no header/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%00' }, /^OTEL_EXPORTER_OTLP_HEADERS has a value that no header/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%FF' }, /^OTEL_EXPORTER_OTLP_HEADERS has a value that no header/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%E2%82%AC' }, /^OTEL_EXPORTER_OTLP_HEADERS has a value that no header/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'Content-Length=1' }, /^OTEL_EXPORTER_OTLP_HEADERS names a header/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=1,transfer-encoding=x' }, /^OTEL_EXPORTER_OTLP_HEADERS names a header/],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'otel' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL/],
  [{ OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=%00' }, /^OTEL_EXPORTER_OTLP_TRACES_HEADERS has a value/],
  [{ OTEL_TRACES_EXPORTER: 'jaeger' }, /^OTEL_TRACES_EXPORTER must be otlp, console or none$/],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /^OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf or http\/json$/,
  ],
  [{ OTEL_SDK_DISABLED: 'yes' }, /^OTEL_SDK_DISABLED must be true or false$/],
  [
    { OTEL_TRACES_SAMPLER: 'xray' },
    /^OTEL_TRACES_SAMPLER must be always_on, .* or parentbased_traceidratio$/,
  ],
  [
    { OTEL_EXPORTER_OTLP_TIMEOUT: '0' },
    /^OTEL_EXPORTER_OTLP_TIMEOUT must be a whole number of ms from 1 to 999999$/,
  ],
  [
    { OTEL_BSP_MAX_QUEUE_SIZE: '100000' },
    /^OTEL_BSP_MAX_QUEUE_SIZE must be a whole number of spans from 1 to 99999$/,
  ],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a' }, /^OTEL_RESOURCE_ATTRIBUTES must be name=value pairs/],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=%FF' }, /^OTEL_RESOURCE_ATTRIBUTES must have values of up to 255/],
  [{ OTEL_SERVICE_NAME: 'a\nb' }, /^OTEL_SERVICE_NAME must be a name/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1e-1' }, /^OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1$/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1$/],
])('%o is refused', (settings, words) => {
  expect(() => readConfig(settings)).toThrow(words)
})
