import { generate } from 'otplib'
import { describe, expect, it } from 'vitest'
import { createTotpSecret, stepOfCode, totpUri } from './totp.ts'

// RFC 6238, appendix B: the secret `12345678901234567890` in base32, and its codes' last six digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('the code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('is that of RFC 6238 at %i s', async (seconds, code, step) => {
    expect(await stepOfCode(SECRET, code, seconds * 1000)).toBe(step)
  })

  it.each([
    [-60, null],
    [-30, 999],
    [0, 1000],
    [30, 1001],
    [60, null],
  ])('of %i s from now is of step %j', async (seconds, step) => {
    const code = await generate({ secret: SECRET, epoch: 30_000 + seconds })
    expect(await stepOfCode(SECRET, code, 30_000_000)).toBe(step)
  })

  it('of another secret is none', async () => {
    const code = await generate({ secret: createTotpSecret(), epoch: 30_000 })
    expect([await stepOfCode(SECRET, code, 30_000_000)]).toEqual([null])
  })
})

it('an app is set up by a secret of 160 bits, and told whose it is', () => {
  const secret = createTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUri(secret, { issuer: 'Card service', email: 'ada@acme.example' })).toBe(
    `otpauth://totp/Card%20service:ada%40acme.example?secret=${secret}&issuer=Card%20service`,
  )
})
