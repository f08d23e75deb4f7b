import { describe, expect, it } from 'vitest'
import { createKey, isSameKey, keyRecordOf } from './api-key.ts'

describe('a key', () => {
  it.each([
    ['public', 'sandbox', /^pk_sandbox_[\w-]{32}$/],
    ['secret', 'production_svc', /^sk_production_[\w-]{32}$/],
  ] as const)('of the kind %s in %s has its prefix', (kind, environment, form) => {
    expect(createKey(kind, environment)).toMatch(form)
  })

  it('is recognised by its hash, which does not contain it', () => {
    const key = createKey('secret', 'sandbox')
    expect(isSameKey(keyRecordOf(key), keyRecordOf(key))).toBe(true)
    expect(isSameKey(keyRecordOf(createKey('secret', 'sandbox')), keyRecordOf(key))).toBe(false)
    expect(JSON.stringify(keyRecordOf(key))).not.toContain(key)
  })
})
