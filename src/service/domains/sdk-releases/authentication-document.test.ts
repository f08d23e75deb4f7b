import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthenticationSetup } from '../../../contract/page/authentication-setup.ts'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { charge } from '../gateways/sandbox-bank/testing/card-holder.ts'

let service: TestService
beforeAll(async () => {
  const recent = testRelease('1.3.0')
  const files = new Map(recent.files)
  for (const [path, file] of recent.files)
    files.set(
      path.replace('frame/frame', 'frame/authentication').replace('languages/', 'languages/authentication/'),
      file,
    )
  service = await createTestService({ releases: [{ ...recent, files }, testRelease('1.2.0')] })
})
afterAll(() => service.close())

const open = (id: string, more = '') =>
  service.raw({ url: `/sdk/v1.3.0/authentication?authentication_id=${id}${more}` })
const setupIn = (body: string) =>
  v.parse(AuthenticationSetup, JSON.parse(/<script id="svc-setup">(.*)<\/script>/.exec(body)?.[1] ?? ''))
const directivesOf = (policy: unknown) =>
  new Map(
    String(policy)
      .split('; ')
      .map((one) => [one.split(' ')[0], one]),
  )

describe('the document of a bank’s step', () => {
  it('may show pages of banks, send them forms, and ask about its own authentication alone', async () => {
    const { charge: made } = await charge(service)
    const id = made._3ds?.id ?? ''
    const { body, headers } = await open(id, '&language=fr')
    expect(setupIn(body)).toMatchObject({
      authentication_url: `http://localhost:8080/v1/authentications/${id}`,
      languages_url: 'http://localhost:8080/sdk/v1.3.0/languages/authentication/',
      is_sandbox: true,
      language: { code: 'fr' },
    })
    const banks = 'https: http://localhost:* http://127.0.0.1:*'
    const policy = directivesOf(headers['content-security-policy'])
    expect([policy.get('default-src'), policy.get('frame-src'), policy.get('form-action')]).toEqual([
      "default-src 'none'",
      `frame-src ${banks}`,
      `form-action ${banks}`,
    ])
    expect(policy.get('connect-src')).toBe(
      `connect-src http://localhost:8080/v1/authentications/${id} http://localhost:8080/sdk/v1.3.0/languages/authentication/`,
    )
    expect(body).not.toContain(made._3ds?.token ?? 'no token')
  })

  it('passes on no permission, and isolates no bank’s page', async () => {
    const { headers } = await open('')
    for (const name of ['camera', 'geolocation', 'payment', 'fullscreen'])
      expect(headers['permissions-policy']).toContain(`${name}=()`)
    expect(headers).not.toHaveProperty('cross-origin-embedder-policy')
  })

  it('is shown by its merchant’s pages alone, and an unknown one by none', async () => {
    const ancestorsOf = async (id: string) =>
      directivesOf((await open(id)).headers['content-security-policy']).get('frame-ancestors')
    const { charge: made } = await charge(service)
    expect(await ancestorsOf(made._3ds?.id ?? '')).toBe('frame-ancestors *')
    expect(await ancestorsOf('0'.repeat(24))).toBe("frame-ancestors 'none'")
    // What names none is shown, to say so.
    expect(await ancestorsOf('no-id')).toBe('frame-ancestors *')
  })

  it('is not there in a release that has none', async () => {
    const { statusCode } = await service.raw({ url: '/sdk/v1.2.0/authentication?authentication_id=' })
    expect(statusCode).toBe(404)
  })
})
