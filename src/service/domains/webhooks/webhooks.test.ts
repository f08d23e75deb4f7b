import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const make = async (url: string, owner = service.merchant) =>
  service.call({
    method: 'POST',
    url: '/v1/webhooks',
    headers: { 'x-user-secret-key': owner.secretKey },
    payload: { url },
  })

describe('the webhooks of a merchant', () => {
  it('are 16 at most, also when 60 are made at once', async () => {
    await service.database.script(`
      CREATE FUNCTION wait_a_little() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(random() / 5); RETURN NEW; END $$;
      CREATE TRIGGER wait_a_little BEFORE INSERT ON webhook_endpoints
        FOR EACH ROW EXECUTE FUNCTION wait_a_little()`)
    const owner = await service.makeMerchant()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) => make(`https://shop.example/${number}`, owner)),
    )
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ body }) => body.error?.code === 'unfulfilled_condition')
    expect([made.length, refused.length]).toEqual([16, 44])
  })

  it('keep their address as it is understood, not as it was written', async () => {
    const { body } = await make('HTTPS://Shop.Example:443/a/../hook?x=é')
    expect(body.resource.data).toMatchObject({ url: 'https://shop.example/hook?x=%C3%A9' })
  })

  it.each([
    ['http://localhost:3000/hook', 201],
    ['http://127.0.0.1/hook', 201],
    ['http://[::1]/hook', 201],
    ['https://10.0.0.1/hook', 201],
    ['http://10.0.0.1/hook', 400],
    ['http://shop.example/hook', 400],
    ['http://shop.localhost/hook', 400],
  ])(
    'in sandbox may be at any address by https, and by http on this machine: %s is %i',
    async (url, status) => {
      expect((await make(url)).status).toBe(status)
    },
  )

  it.each([
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    'https://example.com/\n',
    'https://exa\tmple.com/',
    ' https://example.com/',
    'https://example.com/a\u00a0b',
    `https://example.com/${'é'.repeat(1000)}`,
  ])('refuse the address %j', async (url) => {
    const { status, body } = await make(url)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_error', details: [{ path: 'url' }] })
  })
})
