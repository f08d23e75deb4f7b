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
    [
      { SVC_WIDGET_ALIASES: 'https://cards.shop.example,http://cards.b.example' },
      /^SVC_WIDGET_ALIASES must be an https origin of a public host in production_svc, not http:\/\/cards.b/,
    ],
  ])('%o is refused', (environment, words) => {
    expect(() => readConfig({ ...PRODUCTION, ...environment })).toThrow(words)
  })
})

describe('further origins of the form', () => {
  it('are read as browsers write them', () => {
    const settings = { SVC_WIDGET_ALIASES: ' https://Cards.shop.example/, https://b.example:8443 ,' }
    const aliases = ['https://cards.shop.example', 'https://b.example:8443']
    expect(readConfig({ ...PRODUCTION, ...settings }).widgetAliases).toEqual(aliases)
    expect(readConfig(PRODUCTION).widgetAliases).toEqual([])
  })

  it.each(['*', 'https://*.shop.example', 'null', 'cards.shop.example', 'https://a.example/form'])(
    'are no patterns and no hosts: %s is refused',
    (list) => {
      expect(() => readConfig({ ...PRODUCTION, SVC_WIDGET_ALIASES: list })).toThrow(
        'SVC_WIDGET_ALIASES must be origins such as https://cards.shop.example, separated by commas',
      )
    },
  )

  it('are others than the dashboard’s, whose cookies a browser would send there', () => {
    const url = 'https://dashboard.example.com'
    expect(() => readConfig({ ...PRODUCTION, SVC_DASHBOARD_URL: url, SVC_WIDGET_ALIASES: url })).toThrow(
      'SVC_DASHBOARD_URL must be another origin than',
    )
  })
})
