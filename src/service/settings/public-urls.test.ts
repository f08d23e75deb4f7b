import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const PRODUCTION = {
  SVC_ENVIRONMENT: 'production_svc',
  SVC_VAULT_KEYS: 'k',
  SVC_BASE_URL: 'https://pay.example.com',
  SVC_DATABASE_URL: 'postgres://db.example/svc',
}

describe('production', () => {
  it('is reached by https, at hosts that are not this machine', () => {
    expect(readConfig(PRODUCTION).baseUrl).toBe('https://pay.example.com')
  })

  it.each([
    [{ SVC_BASE_URL: undefined }, /^SVC_BASE_URL must be set in production_svc/],
    [{ SVC_BASE_URL: 'http://pay.example.com' }, /^SVC_BASE_URL must be an https origin of a public host/],
    [{ SVC_BASE_URL: 'https://localhost:8080' }, /^SVC_BASE_URL must be an https origin/],
    [{ SVC_BASE_URL: 'https://127.0.0.1' }, /^SVC_BASE_URL must be an https origin/],
    [{ SVC_BASE_URL: 'https://[::1]:8080' }, /^SVC_BASE_URL must be an https origin/],
    [{ SVC_WIDGET_URL: 'http://cdn.example.com' }, /^SVC_WIDGET_URL must be an https origin/],
  ])('%o is refused', (environment, words) => {
    expect(() => readConfig({ ...PRODUCTION, ...environment })).toThrow(words)
  })
})
