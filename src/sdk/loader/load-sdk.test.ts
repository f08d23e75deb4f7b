import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadSdk } from './load-sdk.ts'
import type { LoadSdkOptions } from './load-sdk.ts'

/** The scripts that were put into the page; what becomes of them is the test's to say. */
let scripts: HTMLScriptElement[]
let count = 0
let url: string

beforeEach(() => {
  vi.useFakeTimers()
  scripts = []
  count += 1
  url = `https://cards.example/sdk/v1.${count}.0/widget.umd.min.js`
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) scripts.push(node)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(window, 'svc')
})

const sdk = () => ({ HtmlWidget: () => undefined })

/** What happens to the last script; undefined: it comes, and leaves nothing. */
async function arrive(svc?: object) {
  if (svc) Reflect.set(window, 'svc', svc)
  scripts.at(-1)?.dispatchEvent(new Event('load'))
  await vi.advanceTimersByTimeAsync(0)
}
async function fail() {
  scripts.at(-1)?.dispatchEvent(new Event('error'))
  await vi.advanceTimersByTimeAsync(0)
}
const backOff = () => vi.advanceTimersByTimeAsync(500)
const codeOf = (load: Promise<unknown>) =>
  load.then(
    () => 'loaded',
    (fault: unknown) => (fault instanceof Error && 'code' in fault ? fault.code : fault),
  )
const load = (options?: LoadSdkOptions) => loadSdk(url, options)

describe('the script', () => {
  it('is of another origin without cookies, with hash and nonce', () => {
    void codeOf(load({ integrity: 'sha384-abc', nonce: 'once' }))
    expect(scripts[0]).toMatchObject({
      src: url,
      crossOrigin: 'anonymous',
      integrity: 'sha384-abc',
      nonce: 'once',
    })
  })

  it('gives what it leaves in the page', async () => {
    const loading = load()
    const svc = sdk()
    await arrive(svc)
    expect(await loading).toBe(svc)
  })
})

describe('the same address', () => {
  it('is one script, whether it is coming or there', async () => {
    const both = Promise.all([load(), load()])
    await arrive(sdk())
    expect(await both).toHaveLength(2)
    await load()
    expect(scripts).toHaveLength(1)
  })

  it('with another hash is another script', () => {
    void codeOf(load({ integrity: 'sha384-a' }))
    void codeOf(load({ integrity: 'sha384-b' }))
    expect(scripts).toHaveLength(2)
  })
})

describe('a load that fails', () => {
  it('is tried once more, after half a second', async () => {
    const loading = codeOf(load())
    await fail()
    expect(scripts).toHaveLength(1)
    await backOff()
    expect(scripts).toHaveLength(2)
    await arrive(sdk())
    expect(await loading).toBe('loaded')
  })

  it('twice is a fault, and forgotten', async () => {
    const loading = codeOf(load())
    await fail()
    await backOff()
    await fail()
    expect(await loading).toBe('sdk_load_failed')
    const next = codeOf(load())
    await arrive(sdk())
    expect([await next, scripts.length]).toEqual(['loaded', 3])
  })

  it('is for each who waits', async () => {
    const both = Promise.all([codeOf(load()), codeOf(load())])
    await fail()
    await backOff()
    await fail()
    expect(await both).toEqual(['sdk_load_failed', 'sdk_load_failed'])
  })

  it('as the page’s policy blocks it says what to add, and is not tried again', async () => {
    const loading = load()
    const violation = Object.assign(new Event('securitypolicyviolation'), {
      blockedURI: url,
      disposition: 'enforce',
    })
    document.dispatchEvent(violation)
    scripts[0]?.dispatchEvent(new Event('error'))
    await expect(loading).rejects.toThrow('Add: script-src https://cards.example')
    await backOff()
    expect(scripts).toHaveLength(1)
  })
})

describe('a script that leaves no SDK', () => {
  it('is a fault', async () => {
    const loading = codeOf(load())
    await arrive()
    expect(await loading).toBe('sdk_not_found_after_load')
  })

  it('is one, too, where another SDK was there before', async () => {
    Reflect.set(window, 'svc', sdk())
    const loading = codeOf(load())
    await arrive()
    expect(await loading).toBe('sdk_not_found_after_load')
  })
})

describe('the wait', () => {
  it('ends after its time, the second try included; the next call begins anew', async () => {
    const loading = codeOf(load({ timeout: 900 }))
    await fail()
    await backOff()
    await vi.advanceTimersByTimeAsync(400)
    expect(await loading).toBe('sdk_load_timeout')
    void codeOf(load())
    expect(scripts).toHaveLength(3)
  })

  it('ends by its signal; the next call begins anew', async () => {
    const ending = new AbortController()
    const loading = codeOf(load({ signal: ending.signal }))
    ending.abort()
    expect(await loading).toBe('aborted')
    void codeOf(load())
    expect(scripts).toHaveLength(2)
  })

  it('of a signal that has ended does not begin', async () => {
    expect(await codeOf(load({ signal: AbortSignal.abort() }))).toBe('aborted')
    expect(scripts).toEqual([])
  })

  it('of one does not end that of another', async () => {
    const ending = new AbortController()
    const [one, other] = [codeOf(load({ signal: ending.signal })), codeOf(load())]
    ending.abort()
    expect(await one).toBe('aborted')
    await arrive(sdk())
    expect(await other).toBe('loaded')
  })

  it('once nobody waits, no second try is made', async () => {
    const ending = new AbortController()
    const loading = codeOf(load({ signal: ending.signal }))
    await fail()
    ending.abort()
    await backOff()
    expect([await loading, scripts.length]).toEqual(['aborted', 1])
  })
})

it('on a server it is refused in words', async () => {
  vi.stubGlobal('document', undefined)
  await expect(load()).rejects.toThrow(/browser/)
})
