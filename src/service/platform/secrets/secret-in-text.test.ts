import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { SPELLINGS, SPELLINGS_OF_TOKENS } from '../../testing/spellings.ts'
import { oneTimeTokenOf } from './one-time-token.ts'
import { secretIn } from './secret-in-text.ts'

const key = Buffer.alloc(32, 7)
const jwt = (header: object, claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)
const checkout = await jwt(
  { typ: 'JWT', kid: 'sandbox-0' },
  {
    version: 1,
    shape: { fields: ['card_number'] },
    iss: 'http://localhost:8080',
    aud: 'checkout',
    sub: 'f'.repeat(24),
  },
)
const access = await jwt({ typ: 'at+jwt', kid: '1' }, { client_id: 'client_1', scope: 'charges:read' })

const SECRETS = {
  'secret key': 'sk_sandbox_-Nq4tKX0m_2Rv7yQhLw3Zb8cEj5uPdTs',
  'client secret': 'cs_production_bW9uZXkgaXMgc2FmZSBpbiB0aGUg_mFuay4zMTQxNTk',
  'webhook secret': 'whsec_Xn0p+yJ9h/Rw2c3ZkT5dLq8V7bUeMfGa',
  session: 'svc_session_k2Jw9Zr4-XcQ7nB0vTyLhE5uGdMs3pFa_ROi8WbHtYx',
  invitation: 'svc_invitation_R8q0Zs3-nLx7VtYbWc2JhKdE5uGiMf9pTa_oPj4QyCe',
  'checkout token': checkout,
  'access token': access,
} as const

describe('a secret of this service in a text', () => {
  const token = oneTimeTokenOf(createHmac('sha256', key).update('a token').digest())

  it.each(Object.entries(SPELLINGS_OF_TOKENS))('is found: one-time token, %s', (_, spell) => {
    expect(secretIn(spell(token))).toBe('one-time token')
    expect(secretIn(`"a":${JSON.stringify(spell(token))}`)).toBe('one-time token')
  })

  it.each(
    Object.entries(SECRETS).flatMap(([kind, secret]) =>
      Object.entries(SPELLINGS).map(([how, spell]) => [kind, how, spell(secret)] as const),
    ),
  )('is found: %s, %s', (kind, _how, text) => expect(secretIn(text)).toBe(kind))

  it.each(['secret key', 'client secret', 'webhook secret', 'session', 'invitation'] as const)(
    'is found: %s in capitals, in small letters and with other separators',
    (kind) => {
      const secret = SECRETS[kind]
      for (const text of [secret.toUpperCase(), secret.toLowerCase(), secret.replaceAll(/[_-]/g, ' ')])
        expect([text, secretIn(text)]).toEqual([text, kind])
    },
  )

  it('is found in a link that invites, also in an address', () => {
    const link = `https://pay.example/invitation#${SECRETS.invitation}`
    expect(secretIn(link)).toBe('invitation')
    expect(secretIn(`/?to=${encodeURIComponent(link)}`)).toBe('invitation')
  })
})

describe('no secret of this service', () => {
  it.each([
    '',
    'order 12',
    randomUUID(),
    'pk_sandbox_-Nq4tKX0m_2Rv7yQhLw3Zb8cEj5uPdTs',
    'client_0123456789abcdef01234567',
    'sk_sandbox_',
    'We ask production for 12 boxes, then staging and the risk sandbox for another 200',
    'Task production of the winter catalogue for all of our customers in the north',
    'invitation-to-the-annual-general-meeting-of-all-members-2026',
    'https://shop.example/invitation#to-the-annual-meeting-of-members',
    'svc_session_is_the_name_of_a_cookie_in_this_service',
    'eyJ and other letters that a JWT begins with, in a text of some length',
    '00000000-0000-4000-8000-000000000000',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
    '12345678-1234-4234-8234-123456789012',
  ])('is in %j', (text) => expect(secretIn(text)).toBeNull())

  it('is in the JWT of somebody else', async () => {
    expect(secretIn(await jwt({ typ: 'JWT' }, { aud: 'checkout', sub: 'a customer' }))).toBeNull()
    expect(secretIn(await jwt({}, { iss: 'https://shop.example', shape: { of: 1 } }))).toBeNull()
  })

  it('is in a UUID whose check digits are not a token’s', () => {
    const token = oneTimeTokenOf(Buffer.alloc(16, 0xa5))
    for (const at of [0, 7, 20, 35]) {
      const other = token.charAt(at) === '1' ? '2' : '1'
      expect(secretIn(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
    }
  })
})

describe('one-time tokens', () => {
  it('are UUIDs of version 4, of 94 random bits, which no other bits decide', () => {
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
    for (let count = 0; count < 1000; count += 1) {
      const bytes = randomBytes(16)
      const token = oneTimeTokenOf(bytes)
      expect(token).toMatch(uuid)
      expect(token.slice(0, 12)).toBe(
        oneTimeTokenOf(Buffer.concat([bytes.subarray(0, 12), Buffer.alloc(4)])).slice(0, 12),
      )
    }
    const changed = Array.from({ length: 128 }, (_, bit) => {
      const bytes = Buffer.alloc(16)
      bytes[bit >> 3] = 128 >> (bit & 7)
      return oneTimeTokenOf(bytes)
    })
    expect(new Set(changed).size - 1).toBe(94)
  })
})

it('takes a time that grows with the text alone, whatever stands there', () => {
  const hostile = [
    'sk_sandbox_',
    'eyJ',
    'e y ',
    's.k.s.a.n.d.b.o.x.',
    '4898',
    '\\u0034',
    '%2534',
    '４',
    'aB',
    'A b\n',
    'aB'.repeat(11) + ' ',
  ]
  // Of a time that grew with the square, a megabyte would take more than any test may.
  for (const text of hostile)
    expect([text, secretIn(text.repeat(1_000_000 / text.length))]).toEqual([text, null])
})

it.each(Object.entries(SPELLINGS))(
  'a webhook secret of which a quarter is neither letter nor digit is found: %s',
  (_, spell) => {
    expect(secretIn(spell('whsec_eB5OD+MC1+SsRGb3TZp+hEltDkW7lv++'))).toBe('webhook secret')
    expect(secretIn(spell('whsec_aACEjhpne/jn2gGsSGE/AMCq+zEB/A+m/'))).toBe('webhook secret')
  },
)

it('card numbers and secrets are looked for by nothing but `secret-in-text.ts`', () => {
  const service = new URL('../../', import.meta.url)
  const files = readdirSync(service, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const direct = files.filter((name) =>
    readFileSync(new URL(name, service), 'utf8').includes('card/number-in-text.ts'),
  )
  expect(direct.sort()).toEqual(['platform/idempotency.ts', 'platform/secrets/secret-in-text.ts'])
})
