import { expect, it } from 'vitest'
import { tokenExpired, tokenRefused } from './intent-tokens.ts'

it.each([
  ['unauthorized', tokenRefused(), 'The checkout token is not valid.'],
  ['token_expired', tokenExpired(), 'it lives 16 minutes'],
])('a token that is refused as %s says so as RFC 6750 asks', (code, error, words) => {
  expect(error).toMatchObject({ code, challenge: 'Bearer error="invalid_token"' })
  expect(error.message).toContain(words)
})
