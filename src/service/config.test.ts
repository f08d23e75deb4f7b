import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './platform/errors.ts'

const TOKEN = {
  SVC_VAULT_PKCS11_MODULE: '/lib/hsm.so',
  SVC_VAULT_PKCS11_TOKEN: 'svc',
  SVC_VAULT_PKCS11_KEYS: 'k2, k1',
  SVC_VAULT_PKCS11_PIN: '1234',
}
const TRANSIT = {
  SVC_VAULT_TRANSIT_URL: 'http://vault.example:8200/v1/transit/',
  SVC_VAULT_TRANSIT_KEYS: 'k1',
  SVC_VAULT_TRANSIT_TOKEN: 'hvs.x',
}

const PRODUCTION = {
  SVC_ENVIRONMENT: 'production_svc',
  SVC_VAULT_KEYS: 'k',
  SVC_BASE_URL: 'https://pay.example.com',
  SVC_DATABASE_URL: 'postgres://db.example/svc',
}

describe('the environment', () => {
  it('needs nothing in a sandbox', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      demoPort: 8090,
      baseUrl: 'http://localhost:8080',
      widgetUrl: 'http://localhost:8080',
      environment: 'sandbox',
      sandboxHoldSeconds: 604_800,
      sandboxBankPort: 8060,
      sandboxBankUrl: 'http://localhost:8060',
    })
  })

  it('limits little in a sandbox, but wrong keys', () => {
    const { rateLimits } = readConfig({})
    expect(rateLimits.perKey.perSecond).toBeGreaterThan(3000)
    expect(rateLimits.perAddress.perSecond).toBeGreaterThan(3000)
    expect(rateLimits.cardsPerAddress.perSecond).toBeGreaterThan(3000)
    expect(rateLimits.wrongKeysPerAddress).toEqual({ perSecond: 1, burst: 60 })
    expect(readConfig(PRODUCTION).rateLimits).toMatchObject({
      perKey: { perSecond: 200 },
      cardsPerAddress: { perSecond: 20 },
      wrongKeysPerAddress: { burst: 60 },
    })
  })

  it('takes networks of proxies', () => {
    expect(readConfig({ SVC_TRUSTED_PROXIES: ' 10.0.0.0/8,::1 ,192.0.2.7' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '::1',
      '192.0.2.7',
    ])
  })

  it('takes one place of master keys, and beside it the keys that it had before', () => {
    expect(readConfig({ ...TOKEN, SVC_VAULT_KEYS_FILE: '/keys', SVC_VAULT_CURRENT_KEY: 'k0' }).vault).toEqual(
      {
        local: { file: '/keys' },
        pkcs11: { module: '/lib/hsm.so', token: 'svc', keys: ['k2', 'k1'], pin: { text: '1234' } },
        transit: null,
        currentKey: 'k0',
      },
    )
    expect(readConfig(TRANSIT).vault.transit?.url).toBe('http://vault.example:8200/v1/transit')
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
    [
      { SVC_DATABASE_URL: 'postgres://db.example:abc/svc' },
      /^SVC_DATABASE_URL must name a port from 1 to 65535$/,
    ],
    [{ SVC_DATABASE_URL: 'postgres://db.example/svc?port=abc' }, /^SVC_DATABASE_URL must name a port/],
    [{ SVC_DATABASE_URL: 'postgres:///svc?port=5432&port=99999' }, /^SVC_DATABASE_URL must name a port/],
    [{ SVC_LOG_LEVEL: 'loud' }, /^SVC_LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent$/],
    [{ SVC_HOST: 'pay.example' }, /^SVC_HOST must be an IP address such as/],
    [{ SVC_DRAIN_SECONDS: '-1' }, /^SVC_DRAIN_SECONDS must be a whole number of seconds/],
    [{ SVC_PROCESSES: '0' }, /^SVC_PROCESSES must be a whole number from 1 to 64$/],
    [{ SVC_PROCESSES: '65' }, /^SVC_PROCESSES must be/],
    [{ SVC_PROCESSES: 'auto' }, /^SVC_PROCESSES must be/],
    [{ SVC_PROT: '1' }, /^SVC_PROT is unknown\. Did you mean SVC_PORT\?$/],
    [{ SVC_DATABASEURL: '1' }, /^SVC_DATABASEURL is unknown\. Did you mean SVC_DATABASE_URL\?$/],
    [{ SVC_ANYTHING_ELSE: '1' }, /^SVC_ANYTHING_ELSE is unknown\.$/],
    [{ SVC_SANDBOX_HOLD_SECONDS: '0' }, /^SVC_SANDBOX_HOLD_SECONDS must be a whole number/],
    [{ SVC_BASE_URL: 'here' }, /^SVC_BASE_URL must be an origin/],
    [{ SVC_BASE_URL: 'localhost:8080' }, /^SVC_BASE_URL must be an origin/],
    [{ SVC_WIDGET_URL: 'https://pay.example/path' }, /^SVC_WIDGET_URL must be an origin/],
    [{ SVC_DASHBOARD_PORT: 'http' }, /^SVC_DASHBOARD_PORT must be a port number$/],
    [{ SVC_SANDBOX_BANK_PORT: '8080' }, /^SVC_SANDBOX_BANK_PORT must be another port than SVC_PORT and/],
    [{ SVC_SANDBOX_BANK_PORT: '8070' }, /^SVC_SANDBOX_BANK_PORT must be another port than SVC_PORT and/],
    [{ SVC_SANDBOX_BANK_URL: 'http://localhost:8080' }, /^SVC_SANDBOX_BANK_URL must be another origin/],
    [{ SVC_DASHBOARD_PORT: '8080' }, /^SVC_DASHBOARD_PORT must be another port than SVC_PORT$/],
    [{ SVC_DASHBOARD_URL: 'my.example.com' }, /^SVC_DASHBOARD_URL must be an origin/],
    [{ SVC_DASHBOARD_URL: 'http://LOCALHOST:8080/' }, /^SVC_DASHBOARD_URL must be another origin/],
    [
      { SVC_WIDGET_URL: 'https://w.example', SVC_DASHBOARD_URL: 'https://w.example' },
      /^SVC_DASHBOARD_URL must be another origin than SVC_BASE_URL, SVC_WIDGET_URL and SVC_WIDGET_ALIASES$/,
    ],
    [{ SVC_RATE_LIMIT_PER_KEY: '0' }, /^SVC_RATE_LIMIT_PER_KEY must be a whole number above 0$/],
    [{ SVC_TRUSTED_PROXIES: '10.0.0.0/33' }, /^SVC_TRUSTED_PROXIES must be addresses or networks/],
    [{ SVC_TRUSTED_PROXIES: '10.0.0.0/8/8' }, /^SVC_TRUSTED_PROXIES must be addresses or networks/],
    [{ SVC_TRUSTED_PROXIES: ',' }, /^SVC_TRUSTED_PROXIES must be addresses or networks/],
    [{ SVC_TRUSTED_PROXIES: '10.0.0.1,' }, /^SVC_TRUSTED_PROXIES must be addresses or networks/],
    [{ SVC_TRUSTED_PROXIES: '10.0.0.1, proxy' }, /^SVC_TRUSTED_PROXIES/],
    [{ SVC_METRICS_TOKEN: 'short' }, /^SVC_METRICS_TOKEN must have at least 16/],
    [{ SVC_ENVIRONMENT: 'production_svc' }, /^SVC_VAULT_KEYS must be set outside sandbox/],
    [
      { SVC_VAULT_KEYS: 'k', SVC_VAULT_KEYS_FILE: '/k' },
      /^SVC_VAULT_KEYS and SVC_VAULT_KEYS_FILE are both set/,
    ],
    [{ ...TOKEN, SVC_VAULT_PKCS11_PIN: undefined }, /^SVC_VAULT_PKCS11_PIN must be set too/],
    [{ ...TOKEN, SVC_VAULT_PKCS11_TOKEN: undefined }, /^SVC_VAULT_PKCS11_TOKEN must be set too/],
    [{ ...TOKEN, SVC_VAULT_PKCS11_PIN_FILE: '/p' }, /^SVC_VAULT_PKCS11_PIN and .*_FILE are both set/],
    [{ ...TOKEN, SVC_VAULT_PKCS11_KEYS: 'a,a' }, /^SVC_VAULT_PKCS11_KEYS must be different names/],
    [{ ...TRANSIT, SVC_VAULT_TRANSIT_TOKEN: undefined }, /^SVC_VAULT_TRANSIT_TOKEN must be set too/],
    [{ ...TRANSIT, SVC_VAULT_TRANSIT_URL: 'vault:8200' }, /^SVC_VAULT_TRANSIT_URL must be the address/],
    [{ ...TRANSIT, ...TOKEN }, /^SVC_VAULT_PKCS11_… and SVC_VAULT_TRANSIT_… are both set/],
    [{ ...TRANSIT, SVC_ENVIRONMENT: 'staging_svc' }, /^SVC_VAULT_TRANSIT_URL must begin with https/],
  ])('%o is refused in one line', (environment, words) => {
    expect(() => readConfig(environment)).toThrow(ConfigError)
    expect(() => readConfig(environment)).toThrow(words)
  })
})

describe('the dashboard', () => {
  const settingsOf = (environment: Record<string, string>) => {
    const { dashboardPort, dashboardUrl } = readConfig({ SVC_VAULT_KEYS: 'k', ...environment })
    return [dashboardPort, dashboardUrl]
  }

  it('is at a port of its own, and moves with it', () => {
    expect(settingsOf({})).toEqual([8070, 'http://localhost:8070'])
    expect(settingsOf({ SVC_DASHBOARD_PORT: '9000' })).toEqual([9000, 'http://localhost:9000'])
    expect(settingsOf({ SVC_DASHBOARD_URL: 'http://my.example/' })).toEqual([8070, 'http://my.example'])
  })

  it('is served outside sandbox once its https address is set', () => {
    expect(settingsOf(PRODUCTION)).toEqual([null, 'http://localhost:8070'])
    const url = 'https://my.example.com'
    expect(settingsOf({ ...PRODUCTION, SVC_DASHBOARD_URL: url })).toEqual([8070, url])
    expect(() => settingsOf({ ...PRODUCTION, SVC_DASHBOARD_URL: 'http://my.example.com' })).toThrow(
      /^SVC_DASHBOARD_URL must be https outside sandbox$/,
    )
    expect(() => settingsOf({ ...PRODUCTION, SVC_DASHBOARD_PORT: '9000' })).toThrow(
      /^SVC_DASHBOARD_URL must be set outside sandbox/,
    )
  })
})

describe("the sandbox's bank", () => {
  const settingsOf = (environment: Record<string, string>) => {
    const { sandboxBankPort, sandboxBankUrl } = readConfig({ SVC_VAULT_KEYS: 'k', ...environment })
    return [sandboxBankPort, sandboxBankUrl]
  }
  const STAGING = { ...PRODUCTION, SVC_ENVIRONMENT: 'staging_svc' }
  const url = 'https://bank.example.com'

  it('is at a port of its own, and moves with it', () => {
    expect(settingsOf({ SVC_SANDBOX_BANK_PORT: '9001' })).toEqual([9001, 'http://localhost:9001'])
    expect(settingsOf({ SVC_SANDBOX_BANK_URL: url })).toEqual([8060, url])
  })

  it('is served in staging once its address is set, and never in production', () => {
    expect(settingsOf(STAGING)).toEqual([null, null])
    expect(settingsOf({ ...STAGING, SVC_SANDBOX_BANK_URL: url })).toEqual([8060, url])
    expect(() => settingsOf({ ...STAGING, SVC_SANDBOX_BANK_PORT: '9001' })).toThrow(
      /^SVC_SANDBOX_BANK_URL must be set outside sandbox/,
    )
    expect(() => settingsOf({ ...STAGING, SVC_SANDBOX_BANK_URL: 'http://bank.example.com' })).toThrow(
      /^SVC_SANDBOX_BANK_URL must be https outside sandbox$/,
    )
    expect(settingsOf({ ...PRODUCTION, SVC_SANDBOX_BANK_URL: url })).toEqual([null, null])
  })
})

describe('the issuer of access tokens', () => {
  const issuerOf = (SVC_OAUTH_ISSUER?: string, SVC_ENVIRONMENT = 'sandbox') =>
    readConfig({ ...PRODUCTION, SVC_OAUTH_ISSUER, SVC_ENVIRONMENT }).oauthIssuer

  it.each([
    'https://id.example.com',
    'https://id.example.com/',
    'https://id.example.com/acme',
    'http://localhost:9',
  ])('%s is kept letter by letter, as tokens name it', (url) => {
    expect(issuerOf(url)).toBe(url)
  })

  it.each([
    'id.example.com',
    'ftp://id.example.com',
    'https://',
    'https://id.example.com/?a=b',
    'https://id.example.com/#a',
    'https://me@id.example.com',
    'https://id.example.com/a/../b',
    'https://ID.example.com',
    'https://id.example.com:443',
    '',
  ])('%j is none', (url) => {
    expect(() => issuerOf(url)).toThrow(ConfigError)
  })

  it('is reached by https outside sandbox', () => {
    expect(issuerOf(undefined, 'production_svc')).toBeUndefined()
    expect(issuerOf('https://id.example.com', 'production_svc')).toBe('https://id.example.com')
    expect(() => issuerOf('http://id.example.com', 'production_svc')).toThrow(/https outside sandbox/)
  })
})

describe('a number among the settings', () => {
  const numbers = [
    'SVC_PORT',
    'SVC_DEMO_PORT',
    'SVC_DASHBOARD_PORT',
    'SVC_DRAIN_SECONDS',
    'SVC_PROCESSES',
    'SVC_SANDBOX_HOLD_SECONDS',
    'SVC_SANDBOX_BANK_PORT',
    'SVC_RATE_LIMIT_PER_KEY',
    'SVC_RATE_LIMIT_WRONG_KEYS',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'OTEL_BSP_SCHEDULE_DELAY',
    'OTEL_BSP_EXPORT_TIMEOUT',
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  ]
  it.each(numbers)('is written in plain digits: %s', (name) => {
    // OpenTelemetry has it that an empty variable is one that is not set.
    const empty = name.startsWith('OTEL_') ? [] : ['']
    for (const value of ['1e3', ' 5 ', '5\n', '0x10', '５', '-1', '+1', 'NaN', ...empty])
      expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]*$`))
  })
})

it.each([
  [
    { ...TRANSIT, SVC_VAULT_TRANSIT_URL: 'http://vault.example/v1/transit ' },
    /^SVC_VAULT_TRANSIT_URL must be/,
  ],
  [{ ...TRANSIT, SVC_VAULT_TRANSIT_TOKEN: 'hvs.x\nhvs.y' }, /^SVC_VAULT_TRANSIT_TOKEN must be a token/],
  [{ ...TRANSIT, SVC_VAULT_TRANSIT_TOKEN: '“hvs.x”' }, /^SVC_VAULT_TRANSIT_TOKEN must be a token/],
  [{ SVC_METRICS_TOKEN: '0123456789abcdef\n' }, /^SVC_METRICS_TOKEN must have/],
])('what is put into a header or an address later is checked at start: %o', (environment, words) => {
  expect(() => readConfig(environment)).toThrow(words)
})
