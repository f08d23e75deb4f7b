import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isHello } from '../../../contract/page/is-frame-event.ts'
import { ASK_FOR_HELLO } from '../../../contract/page/widget-channel.ts'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ releases: [testRelease('1.0.0')] })
})
afterAll(() => service.close())

const open = (path: string) => service.raw({ url: path })

interface Said {
  error: { code: string; message: string; retryable: boolean }
}

/** Runs the document's own script as a browser would, and returns what it tells the page: before it is welcomed, and then. */
function heardFrom(html: string, welcome: unknown): { said: Said | undefined; hellos: unknown[] } {
  const [, fault = ''] = /id="svc-fault">(.*?)<\/script>/s.exec(html) ?? []
  const [, script = ''] = /<\/script><script>(.*?)<\/script>/s.exec(html) ?? []
  const hellos: unknown[] = []
  const parent = { postMessage: (message: unknown) => hellos.push(message) }
  const location = { pathname: '/sdk/v9.9.9/frame', search: '?public_key=pk_1' }
  let said: Said | undefined
  let listener: (event: object) => void = () => undefined
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the very text that browsers get
  const run: unknown = new Function('addEventListener', 'parent', 'document', 'location', script)
  if (typeof run === 'function') {
    const listen = (_: string, callback: typeof listener) => (listener = callback)
    Reflect.apply(run, undefined, [
      listen,
      parent,
      { querySelector: () => ({ textContent: fault }) },
      location,
    ])
  }
  const port = { postMessage: (message: Said) => (said = message) }
  listener({ source: parent, ports: [port], data: welcome })
  listener({ source: parent, ports: [], data: ASK_FOR_HELLO })
  return { said, hellos }
}

describe.each(['frame', 'checkout'])('a %s document that is not there', (kind) => {
  it('tells its page the cause, and its shopper a sentence', async () => {
    const answer = await open(`/sdk/v9.9.9/${kind}?public_key=pk_1`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('<p>Card payments aren’t available here at the moment.</p>')
    const welcome = { channel: 'widget.svc', widget_id: 'w', settings: { ref_id: 'r' } }
    const { said, hellos } = heardFrom(answer.body, welcome)
    // As a form does: the page would take its load for that of a form which it has replaced.
    const [first, ofBefore, asked] = hellos
    expect([isHello(first), ofBefore, isHello(asked)]).toEqual([true, 'widget.svc hello', true])
    expect(first).toMatchObject({ address: '/sdk/v9.9.9/frame?public_key=pk_1', is_taken: false })
    expect(asked).toEqual({ ...Object(first), is_taken: true })
    expect(said).toEqual({
      event: 'systemError',
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id: 'r',
      widget_id: 'w',
      error: {
        code: 'not_found',
        message:
          'http://localhost:8080 has no SDK release v9.9.9. Those that it has: http://localhost:8080/sdk/releases.json',
        retryable: false,
      },
    })
    expect(heardFrom(answer.body, { channel: 'other' }).said).toBeUndefined()
  })

  it('can’t be made to run anything by its address', async () => {
    const { body } = await open(`/sdk/${encodeURIComponent('</script><script>alert(1)</script>')}/${kind}`)
    expect(body).not.toContain('<script>alert')
    expect(body.match(/<script/g)).toHaveLength(2)
  })

  it('may do nothing but that', async () => {
    const { headers } = await open(`/sdk/v9.9.9/${kind}`)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
    )
  })
})
