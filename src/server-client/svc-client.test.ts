import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { operations } from './operations.ts'
import { List } from './sending/list.ts'
import { SvcClient } from './svc-client.ts'
import { SvcError } from './svc-error.ts'
import { answered, createDoubleService, noAnswer, refused } from './testing/double-service.ts'

const SECRET = 'sk_sandbox_Xq3mS0meSecretOfTheMerchant'
const CLIENT_SECRET = 'the-secret-of-the-oauth-client'
const options = {
  baseUrl: 'https://cards.example',
  secretKey: SECRET,
  oauth: { clientId: 'client-1', clientSecret: CLIENT_SECRET },
}

/** Those that take other than one id. */
const IDS_OF: Readonly<Record<string, string[]>> = {
  list: [],
  versions: [],
  resend: ['a1', 'a2'],
  removeDocument: ['a1', 'a2'],
}

/** Every method of the client's groups, with the ids that it needs. */
function methodsOf(client: SvcClient): (() => unknown)[] {
  return Object.values(client).flatMap((group: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(group))
      .filter((name) => name !== 'constructor')
      .map((name) => {
        const method: unknown = Reflect.get(group, name)
        if (typeof method !== 'function') throw new Error(`${name} is no method`)
        return (): unknown => Reflect.apply(method, group, IDS_OF[name] ?? ['a1'])
      }),
  )
}

/** The operation that an address is of. */
const operationAt = (method: string, path: string) =>
  Object.entries(operations)
    .filter(([, one]) => one.method === method)
    .sort(([, one], [, other]) => one.path.split('{').length - other.path.split('{').length)
    .find(([, one]) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))?.[0]

describe('the methods of the client', () => {
  it('are one for each operation that a merchant’s server may call, and no other', async () => {
    const called: (string | undefined)[] = []
    const { runtime, sent } = createDoubleService(answered([]))
    const client = new SvcClient({ ...options, oauth: () => Promise.resolve('token') }, runtime)
    for (const call of methodsOf(client)) {
      const result = call()
      await (result instanceof List ? result.page() : result)
      const { method = '', path = '' } = sent.at(-1) ?? {}
      called.push(operationAt(method, path))
    }
    expect(called.sort()).toEqual(Object.keys(operations).sort())
  })
})

describe('the keys', () => {
  it.each([
    [
      'a public key',
      { ...options, secretKey: 'pk_sandbox_abc' },
      /is a public key \(pk_…\).*needs the secret key/,
    ],
    ['a key that can’t be sent', { ...options, secretKey: `${SECRET}\n` }, /must be a secret key: sk_…/],
    ['none at all', { baseUrl: options.baseUrl }, /needs a secretKey .* variable of the environment/],
    ['no address', { ...options, baseUrl: 'cards.example' }, /baseUrl must be an address/],
    ['a password in the address', { ...options, baseUrl: 'https://a:b@cards.example' }, /without user/],
    [
      'http in production',
      { ...options, secretKey: 'sk_production_a', baseUrl: 'http://cards.example' },
      /https/,
    ],
  ])('%s is refused in words, without the key', (_, given, words) => {
    let thrown: unknown
    try {
      new SvcClient(given)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(TypeError)
    expect(String(thrown)).toMatch(words)
    expect(inspect(thrown)).not.toMatch(/sk_\w{5}|pk_sandbox/)
  })

  it('http will do for the sandbox, and for this runtime', () => {
    expect(() => new SvcClient({ ...options, baseUrl: 'http://service:8080' })).not.toThrow()
    const local = { secretKey: 'sk_production_a', baseUrl: 'http://localhost:8080/' }
    expect(() => new SvcClient(local)).not.toThrow()
  })

  it('stand in no error and in nothing that is printed', async () => {
    const failures = [
      noAnswer,
      refused(401, 'unauthorized'),
      () => new Response('<html>', { status: 502 }),
    ] as const
    for (const failure of failures) {
      const { runtime } = createDoubleService(failure)
      const client = new SvcClient(options, runtime)
      const error: unknown = await client.charges.retrieve('a1').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(SvcError)
      for (const shown of [client, client.charges, error]) {
        const texts = [inspect(shown, { depth: 9, showHidden: true }), JSON.stringify(shown), String(shown)]
        for (const text of texts) expect(text).not.toMatch(new RegExp(`${SECRET}|${CLIENT_SECRET}`))
      }
    }
  })

  it('a redirect is not followed: the key would go along', async () => {
    const elsewhere = () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })
    const { runtime, sent } = createDoubleService(elsewhere)
    const call = new SvcClient(options, runtime).charges.retrieve('a1')
    await expect(call).rejects.toMatchObject({ code: 'unreadable_answer', status: 302, retryable: false })
    expect(sent).toHaveLength(1)
  })
})

describe('a call', () => {
  it('that would lose its amount is not made: everything would be captured', () => {
    const { runtime, sent } = createDoubleService(answered({}))
    const { charges } = new SvcClient(options, runtime)
    const lost = Object.assign({ amount: '1.00' }, { amount: undefined })
    return expect(charges.capture('a1', lost))
      .rejects.toThrow(/amount is undefined.*whole amount/)
      .then(() => expect(sent).toEqual([]))
  })

  it.each(['', '.', '..'])('with the id “%s” is not made: it would be another one', async (id) => {
    const { runtime, sent } = createDoubleService(answered({}))
    await expect(new SvcClient(options, runtime).charges.retrieve(id)).rejects.toThrow(/id must be a text/)
    expect(sent).toEqual([])
  })

  it('names itself, the request and the version that is to be changed', async () => {
    const { runtime, sent } = createDoubleService(answered({}))
    const client = new SvcClient({ ...options, oauth: () => Promise.resolve('from-elsewhere') }, runtime)
    await client.agreements.amend('a/1', { reference: 'r' }, { requestId: 'order-1', ifMatch: '"v1"' })
    expect(sent[0]?.path).toBe('/agreements/a%2F1')
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      authorization: 'Bearer from-elsewhere',
      'if-match': '"v1"',
      'x-request-id': 'order-1',
    })
    expect(sent[0]?.headers.get('user-agent')).toMatch(/^svc-server\/\d/)
    expect(sent[0]?.headers.has('x-user-secret-key')).toBe(false)
  })

  it('without the credential that it needs says which', () =>
    expect(
      new SvcClient({ baseUrl: options.baseUrl, secretKey: SECRET }).agreements.retrieve('a1'),
    ).rejects.toThrow(/needs oauth/))
})

describe('the types of requests and answers', () => {
  const charge = { amount: '10.00', currency: 'AUD', token: 't' } as const

  it('refuse a field that the service does not know, a lost amount and another currency', () => {
    const { charges } = new SvcClient(options)
    // They are compiled, and never carried out.
    const wrong = [
      // @ts-expect-error: there is no such field
      () => charges.create({ ...charge, amuont: '10.00' }),
      // @ts-expect-error: without it everything would be captured
      () => charges.capture('a1', { amount: undefined }),
      // @ts-expect-error: the service takes AUD
      () => charges.create({ ...charge, currency: 'USD' }),
      // @ts-expect-error: there is no such status
      () => charges.list({ status: 'paid' }),
    ]
    expect(wrong).toHaveLength(4)
  })

  it('take undefined for what may be left out, and an answer with more than is known', async () => {
    const later = { _id: 'a1', of_a_later_version: 1 }
    const { charges } = new SvcClient(options, createDoubleService(answered(later)).runtime)
    expect(await charges.create({ ...charge, reference: undefined })).toEqual(later)
  })
})

it('a list whose next page is the same page again ends, as a cache may answer', async () => {
  const { runtime, sent } = createDoubleService(answered([{ _id: 'a1' }], { next: 'c2' }))
  const found: string[] = []
  const goThrough = async () => {
    for await (const { _id } of new SvcClient(options, runtime).charges.list()) {
      found.push(_id)
      if (found.length > 5) return
    }
  }
  await expect(goThrough()).rejects.toMatchObject({ code: 'unreadable_answer', retryable: false })
  expect(found).toEqual(['a1'])
  expect(sent.map(({ query }) => query)).toEqual(['', '?cursor=c2'])
})
