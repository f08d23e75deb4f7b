import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as ScriptAddress from './script-address.ts'

let module: typeof ScriptAddress
beforeEach(async () => {
  vi.resetModules()
  module = await import('./script-address.ts')
})
afterEach(() => vi.unstubAllGlobals())

describe('the address of a script', () => {
  it.each([
    [
      'https://cards.example/sdk/v1.0.0/widget.umd.min.js',
      'https://cards.example/sdk/v1.0.0/widget.umd.min.js',
    ],
    ['/sdk/widget.umd.min.js', new URL('/sdk/widget.umd.min.js', document.baseURI).href],
  ])('%s is %s', (url, address) => expect(module.scriptAddress(url)).toBe(address))

  it.each(['javascript:alert(1)', 'data:text/javascript,1', 'blob:https://cards.example/1', 'https://'])(
    'is not %s',
    (url) => expect(() => module.scriptAddress(url)).toThrow(/no web address/),
  )
})

describe('where the browser knows Trusted Types', () => {
  const pointed = (address: string) => {
    const script = document.createElement('script')
    module.setScriptAddress(script, address)
    return script.src
  }

  it('the address is a trusted one, of one policy svc-load-sdk', () => {
    const createPolicy = vi.fn((_: string, rules: { createScriptURL: (address: string) => string }) => rules)
    vi.stubGlobal('trustedTypes', { createPolicy })
    expect([pointed('https://cards.example/a.js'), pointed('https://cards.example/b.js')]).toEqual([
      'https://cards.example/a.js',
      'https://cards.example/b.js',
    ])
    expect(createPolicy).toHaveBeenCalledExactlyOnceWith('svc-load-sdk', expect.anything())
  })

  it('and the page allows no such policy, one that demands none gets its script', () => {
    vi.stubGlobal('trustedTypes', {
      createPolicy: () => {
        throw new TypeError('not allowed')
      },
    })
    expect(pointed('https://cards.example/a.js')).toBe('https://cards.example/a.js')
  })

  it('and the page demands one but does not allow it, the fault says what to add', () => {
    const script = document.createElement('script')
    Object.defineProperty(script, 'src', {
      set: () => {
        throw new TypeError('This document requires TrustedScriptURL')
      },
    })
    expect(() => module.setScriptAddress(script, 'https://cards.example/a.js')).toThrow(
      'Add: trusted-types svc-load-sdk',
    )
  })
})
