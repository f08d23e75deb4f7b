import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('the environment', () => {
  it('needs nothing in a sandbox', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      demoPort: 8090,
      baseUrl: 'http://localhost:8080',
      widgetUrl: 'http://localhost:8080',
      environment: 'sandbox',
      sandboxHoldSeconds: 604_800,
    })
  })

  it('moves both addresses with the port, and the widget apart', () => {
    expect(readConfig({ SVC_PORT: '9000' })).toMatchObject({ baseUrl: 'http://localhost:9000' })
    expect(readConfig({ SVC_WIDGET_URL: 'https://w.example/' })).toMatchObject({
      widgetUrl: 'https://w.example',
    })
  })

  it.each([
    [{ SVC_PORT: 'http' }, /^SVC_PORT must be a port number$/],
    [{ SVC_PORT: '70000' }, /^SVC_PORT/],
    [{ SVC_ENVIRONMENT: 'live' }, /^SVC_ENVIRONMENT must be sandbox/],
    [{ SVC_DATABASE_URL: 'mysql://x' }, /^SVC_DATABASE_URL must be a postgres/],
    [{ SVC_LOG_LEVEL: 'loud' }, /^SVC_LOG_LEVEL/],
    [{ SVC_SANDBOX_HOLD_SECONDS: '0' }, /^SVC_SANDBOX_HOLD_SECONDS must be a whole number/],
    [{ SVC_BASE_URL: 'here' }, /^SVC_BASE_URL must be an origin/],
    [{ SVC_BASE_URL: 'localhost:8080' }, /^SVC_BASE_URL must be an origin/],
    [{ SVC_WIDGET_URL: 'https://pay.example/path' }, /^SVC_WIDGET_URL must be an origin/],
    [{ SVC_ENVIRONMENT: 'production_svc' }, /^SVC_VAULT_KEYS must be set outside sandbox/],
  ])('%o is refused in one line', (environment, words) => {
    expect(() => readConfig(environment)).toThrow(ConfigError)
    expect(() => readConfig(environment)).toThrow(words)
  })
})
