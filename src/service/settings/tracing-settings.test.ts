import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

it('nothing is traced unless a collector is named', () => {
  expect(readConfig({ OTEL_SERVICE_NAME: 'pay' }).tracing).toBeNull()
})

it("OpenTelemetry's own variables say where to and how much", () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc=,x-tenant=7',
    OTEL_SERVICE_NAME: 'pay',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(readConfig(settings).tracing).toEqual({
    url: 'https://otel.example:4318/v1/traces',
    headers: { authorization: 'Basic abc=', 'x-tenant': '7' },
    serviceName: 'pay',
    share: 0.25,
  })
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
  [{ OTEL_SERVICE_NAME: 'a\nb' }, /^OTEL_SERVICE_NAME must be a name/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1e-1' }, /^OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1$/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1$/],
])('%o is refused', (settings, words) => {
  expect(() => readConfig(settings)).toThrow(words)
})
