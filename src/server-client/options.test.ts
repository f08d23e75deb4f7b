import { describe, expect, it } from 'vitest'
import { SvcClient } from './svc-client.ts'
import { answered, createDoubleService, noAnswer } from './testing/double-service.ts'

const options = { baseUrl: 'https://cards.example', secretKey: 'sk_sandbox_a' }

describe('the options of a client', () => {
  it.each<[string, object | undefined, RegExp]>([
    ['none', undefined, /made of options/],
    ['a key that is no text', { ...options, secretKey: null }, /secretKey must be a text/],
    [
      'a limit that there is not',
      { ...options, retries: { trys: 2 } },
      /no retries.trys, but: tries, tryTime/,
    ],
    ['no tries', { ...options, retries: { tries: 0 } }, /retries.tries must be a whole number/],
    ['tries in a text', { ...options, retries: { tries: '3' } }, /retries.tries must be a whole number/],
    ['no time', { ...options, retries: { tryTimeoutMs: NaN } }, /retries.tryTimeoutMs must be a whole/],
    ['a time that no timer keeps', { ...options, retries: { deadlineMs: 2 ** 31 } }, /1 to 86400000/],
  ])('%s are refused in words', (_, given, words) => {
    const make = (): unknown => Reflect.construct(SvcClient, [given])
    expect(make).toThrow(TypeError)
    expect(make).toThrow(words)
  })

  it('with a limit that is undefined are those without it', async () => {
    const { runtime, sent } = createDoubleService(noAnswer)
    const client = new SvcClient({ ...options, retries: { tries: 2, deadlineMs: undefined } }, runtime)
    await expect(client.charges.retrieve('a1')).rejects.toMatchObject({ code: 'no_answer' })
    expect(sent).toHaveLength(2)
  })
})

describe('a call', () => {
  /** As a merchant without types may call. */
  function cancelWith(given: unknown) {
    const { runtime, sent } = createDoubleService(answered({}))
    const charges: object = new SvcClient(options, runtime).charges
    const cancel: unknown = Reflect.get(charges, 'cancel')
    if (typeof cancel !== 'function') throw new Error('there is no method cancel')
    const outcome: unknown = Reflect.apply(cancel, charges, ['a1', given])
    return { outcome, sent }
  }

  it.each([{ idempotencykey: 'order-1' }, 'order-1', { idempotencyKey: null }, { idempotencyKey: 5 }])(
    'with the options %j is not made: no key of the caller’s would protect it',
    async (given) => {
      const { outcome, sent } = cancelWith(given)
      await expect(outcome).rejects.toThrow(TypeError)
      expect(sent).toEqual([])
    },
  )

  it.each(['a\nb', 'a\r\nx-other: b', '\0', '…', 'é', '', null, 5])(
    'with %j for a header is not made: the fault would look like a network that fails',
    async (value) => {
      for (const option of ['requestId', 'ifMatch']) {
        const { outcome, sent } = cancelWith({ [option]: value })
        const words = `${option} must be a text of ASCII characters, without line breaks.`
        await expect(outcome).rejects.toThrow(new TypeError(words))
        expect(sent).toEqual([])
      }
    },
  )
})
