import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SvcClient } from '../svc-client.ts'
import { answered, createDoubleService, noAnswer, refused } from '../testing/double-service.ts'
import type { GivenAnswer } from '../testing/double-service.ts'

const oauth = { clientId: 'client-1', clientSecret: 'a/secret' }
const token = (name: string) => () => Response.json({ access_token: name, expires_in: 900 })
const good = answered({ _id: 'a1' })

function start(...answers: readonly [GivenAnswer, ...GivenAnswer[]]) {
  const service = createDoubleService(...answers)
  const client = new SvcClient({ baseUrl: 'https://cards.example', oauth }, service.runtime)
  const shown = () => service.sent.map(({ path, headers }) => [path, headers.get('authorization')])
  return { ...service, agreements: client.agreements, shown }
}
const BASIC = `Basic ${Buffer.from('client-1:a%2Fsecret').toString('base64')}`

describe('an access token', () => {
  it('is got once, and anew before it ends', async () => {
    const { agreements, shown, pass } = start(token('t1'), good, good, token('t2'), good)
    await agreements.retrieve('a1')
    pass(839_000)
    await agreements.retrieve('a1')
    pass(2000)
    await agreements.retrieve('a1')
    expect(shown()).toEqual([
      ['/oauth/token', BASIC],
      ['/agreements/a1', 'Bearer t1'],
      ['/agreements/a1', 'Bearer t1'],
      ['/oauth/token', BASIC],
      ['/agreements/a1', 'Bearer t2'],
    ])
  })

  it('that is refused though it was good is got anew, once', async () => {
    const wrong = refused(401, 'unauthorized')
    const { agreements, shown } = start(token('t1'), good, wrong, token('t2'), wrong)
    await agreements.retrieve('a1')
    await expect(agreements.retrieve('a1')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(shown().map(([, authorization]) => authorization)).toEqual([
      BASIC,
      'Bearer t1',
      'Bearer t1',
      BASIC,
      'Bearer t2',
    ])
  })

  it('is got once by calls that begin at the same time', async () => {
    const { agreements, shown } = start(token('t1'), good)
    await Promise.all([agreements.retrieve('a1'), agreements.retrieve('a2'), agreements.retrieve('a3')])
    expect(shown().map(([path]) => path)).toEqual([
      '/oauth/token',
      '/agreements/a1',
      '/agreements/a2',
      '/agreements/a3',
    ])
  })

  it('that does not come is not waited for longer than its caller has time', async () => {
    const giveUp = new AbortController()
    const { agreements } = start(() => {
      giveUp.abort(new Error('the payer left'))
      return new Promise(() => undefined)
    })
    const call = agreements.retrieve('a1', { signal: giveUp.signal })
    await expect(call).rejects.toThrow('the payer left')
  })

  it.each([['SECRET\nTOKEN'], ['SECRET…'], ['']])(
    'that no header can hold is sent nowhere, and is not repeated: %j',
    async (wrong) => {
      const { runtime, sent } = createDoubleService(token(wrong))
      for (const given of [oauth, () => Promise.resolve(wrong)]) {
        const client = new SvcClient({ baseUrl: 'https://cards.example', oauth: given }, runtime)
        const error: unknown = await client.agreements.retrieve('a1').catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code: 'no_access_token', retryable: false })
        expect(inspect(error)).not.toContain('SECRET')
      }
      expect(sent.map(({ path }) => path)).toEqual(['/oauth/token'])
    },
  )

  it('that is not to be had ends the call in the words of OAuth', async () => {
    const { agreements, sent } = start(() => Response.json({ error: 'invalid_client' }, { status: 401 }))
    await expect(agreements.retrieve('a1')).rejects.toMatchObject({
      code: 'invalid_client',
      retryable: false,
    })
    expect(sent).toHaveLength(1)
  })
})

describe('a call that may have been carried out', () => {
  const pay = { amount: '10.00', reference: 'r' }

  it('is told with its key, though then no access token was to be had', async () => {
    const gone: GivenAnswer = () => Response.json({ error: 'invalid_client' }, { status: 401 })
    const { agreements, pass } = start(
      token('t1'),
      good,
      () => {
        pass(30_000)
        return noAnswer()
      },
      gone,
    )
    await agreements.retrieve('a1')
    pass(820_000)
    const call = agreements.pay('a1', pay, { idempotencyKey: 'invoice-1' })
    await expect(call).rejects.toMatchObject({ code: 'invalid_client', idempotencyKey: 'invoice-1' })
  })

  it('likewise where the merchant’s own function fails', async () => {
    const { runtime } = createDoubleService(noAnswer)
    let asked = 0
    const getToken = () => {
      asked += 1
      return asked === 1 ? Promise.resolve('t1') : Promise.reject(new Error('the issuer is away'))
    }
    const { agreements } = new SvcClient({ baseUrl: 'https://cards.example', oauth: getToken }, runtime)
    const call = agreements.pay('a1', pay, { idempotencyKey: 'invoice-1' })
    await expect(call).rejects.toMatchObject({ code: 'no_access_token', idempotencyKey: 'invoice-1' })
    expect(asked).toBe(5)
  })
})
