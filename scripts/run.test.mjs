import process from 'node:process'
import { expect, it } from 'vitest'
import { outputOf } from './run.mjs'

it.each([
  ['SVC_VAULT_KEYS', 'withheld'],
  ['SVC_DATABASE_URL', 'withheld'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'withheld'],
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'withheld'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'given'],
  ['SVC_PORT', 'given'],
])('%s is %s to programs that install, build and test', async (name, how) => {
  const program = `process.stdout.write(process.env.${name} ?? 'withheld')`
  const { output } = await outputOf(process.execPath, ['-e', program], { env: { [name]: 'given' } })
  expect(output).toBe(how)
})
