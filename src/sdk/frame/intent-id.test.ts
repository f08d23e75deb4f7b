import { expect, it } from 'vitest'
import { intentIdOf } from './intent-id.ts'

const tokenOf = (claims: unknown) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`

it('reads the intent out of a token, whatever else is in it', () => {
  const claims = { iss: 'svc', sub: '65f0c0ffee65f0c0ffee65f0', exp: 1, note: '~~~???üü' }
  expect(intentIdOf(tokenOf(claims))).toBe('65f0c0ffee65f0c0ffee65f0')
})

it.each(['', 'no token', 'a.b.c', 'a.%%%.c', tokenOf(null), tokenOf({})])(
  'says nothing of %j: the service will',
  (token) => expect(intentIdOf(token)).toBe(''),
)
