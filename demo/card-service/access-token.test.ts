import { afterEach, describe, expect, it } from 'vitest'
import { startServiceDouble } from '../testing/service-double.ts'
import { createAccessTokens } from './access-token.ts'

let close: () => Promise<unknown> = () => Promise.resolve()
afterEach(() => close())

async function tokens(client = { client_id: 'me', client_secret: 'cs' }) {
  let given = 0
  let now = 0
  const service = await startServiceDouble(() => ({
    body: { access_token: `token-${String((given += 1))}`, expires_in: 900 },
  }))
  close = service.close
  const keys = { service_url: service.url, public_key: '', secret_key: '', gateway_id: '', ...client }
  const access = createAccessTokens(
    () => Promise.resolve(keys),
    () => now,
  )
  return {
    keys,
    at: async (seconds: number) => {
      now = seconds * 1000
      return (await access.current()).token
    },
  }
}

describe('the access token', () => {
  it('is kept until a minute before its end', async () => {
    const { at } = await tokens()
    expect([await at(0), await at(839), await at(840), await at(841)]).toEqual([
      'token-1',
      'token-1',
      'token-2',
      'token-2',
    ])
  })

  it('belongs to a client: another one gets its own', async () => {
    const { at, keys } = await tokens()
    await at(0)
    keys.client_id = 'another'
    expect(await at(1)).toBe('token-2')
  })

  it('is not asked for by a shop without a client', async () => {
    const access = createAccessTokens(() =>
      Promise.resolve({ service_url: '', public_key: '', secret_key: '', gateway_id: '' }),
    )
    await expect(access.current()).rejects.toMatchObject({ code: 'keys_missing' })
  })
})
