import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, refusal } from '../../testing/answers.ts'
import { person, sessionOf } from '../../testing/open-dashboard.ts'
import { dialog, openProfile, part, PASSKEY, PHONE } from './testing/open-profile.ts'

const CODES = Array.from({ length: 10 }, (_, n) => `code-${String(n)}`)

describe('an authenticator app', () => {
  const uri = 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP'
  const setup = data({ secret: 'JBSWY3DPEHPK3PXP', uri }, { status: 201 })

  it('is set up after the password: QR code, secret, a first code, then recovery codes', async () => {
    const { sent, copied } = await openProfile({
      'POST /api/user/totp': [refusal(403, 'password_required', 'Confirm your password.'), setup],
      'POST /api/session/confirm': data({ fresh_until: '2026-11-21T10:10:00Z' }, { status: 201 }),
      'POST /api/user/totp/confirm': data({ recovery_codes: CODES }, { status: 201 }),
    })
    await person.click((await part('Authenticator app')).getByRole('button', { name: 'Set up' }))
    await person.type(await dialog().findByLabelText('Password'), 'my password{Enter}')
    await screen.findByRole('img', { name: 'QR code with the secret below' })
    expect(dialog().getByText('JBSW Y3DP EHPK 3PXP')).toBeDefined()
    await person.type(dialog().getByLabelText('Code that the app shows now'), '123456{Enter}')
    await screen.findByText('code-9')
    await person.click(dialog().getByRole('button', { name: 'Copy recovery codes' }))
    expect(copied).toEqual([CODES.join('\n')])
    await person.click(dialog().getByRole('button', { name: 'I have saved them' }))
    expect(document.body.textContent).not.toContain('code-9')
    const keys = sent.filter(({ line }) => line === 'POST /api/user/totp').map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
  })

  it('is not set up without the password', async () => {
    const { lines } = await openProfile({
      'POST /api/user/totp': refusal(403, 'password_required', 'Confirm your password.'),
    })
    await person.click((await part('Authenticator app')).getByRole('button', { name: 'Set up' }))
    await person.click(await dialog().findByRole('button', { name: 'Cancel' }))
    await screen.findByText(/Nothing was changed/)
    expect(lines().filter((line) => line === 'POST /api/user/totp')).toHaveLength(1)
  })

  it('is removed after a question', async () => {
    const withApp = sessionOf({ has_totp: true, recovery_codes_left: 2 })
    const { lines } = await openProfile({
      'GET /api/session': data(withApp),
      'DELETE /api/user/totp': data(null),
    })
    const app = await part('Authenticator app')
    await person.click(app.getByRole('button', { name: 'Remove' }))
    expect(lines()).not.toContain('DELETE /api/user/totp')
    await person.click(dialog().getByRole('button', { name: 'Remove' }))
    await screen.findByText('The authenticator app was removed.')
  })
})

describe('recovery codes', () => {
  it('are replaced by new ones, which are shown once', async () => {
    await openProfile({
      'GET /api/session': data(sessionOf({ has_totp: true, recovery_codes_left: 2 })),
      'POST /api/user/recovery_codes': data({ recovery_codes: CODES }, { status: 201 }),
    })
    const codes = await part('Recovery codes')
    expect(codes.getByText('2 codes left')).toBeDefined()
    await person.click(codes.getByRole('button', { name: 'Create new codes' }))
    await person.click(dialog().getByRole('button', { name: 'Create new codes' }))
    await screen.findByText('code-0')
  })

  it('need a second factor', async () => {
    await openProfile()
    const codes = await part('Recovery codes')
    expect(codes.queryByRole('button')).toBeNull()
  })
})

describe('a passkey', () => {
  const creation = {
    challenge: 'AAAA',
    rp: { name: 'x' },
    user: { id: 'AA', name: 'grace', displayName: 'Grace' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  }
  const passkeys = (kind: 'given' | 'stopped' | 'exists') => ({
    isSupported: true,
    ask: () => Promise.resolve({ kind: 'stopped' as const }),
    make: () => Promise.resolve({ kind, response: { id: 'new' } }),
  })

  it('is made under a name; the first second factor brings the recovery codes', async () => {
    const { sent } = await openProfile(
      {
        'POST /api/user/passkeys/options': data({ options: creation }),
        'POST /api/user/passkeys': data({ ...PASSKEY, recovery_codes: CODES }, { status: 201 }),
      },
      { passkeys: passkeys('given') },
    )
    await person.click((await part('Passkeys')).getByRole('button', { name: 'Add a passkey' }))
    await person.type(dialog().getByLabelText('Name'), 'Laptop{Enter}')
    await screen.findByText('code-0')
    expect(sent.find(({ line }) => line === 'POST /api/user/passkeys')?.body).toEqual({
      name: 'Laptop',
      response: { id: 'new' },
    })
  })

  it.each([
    ['exists', /already has a passkey for your account/],
    ['stopped', /No passkey was created/],
  ] as const)('that %s is not added', async (kind, words) => {
    await openProfile(
      { 'POST /api/user/passkeys/options': data({ options: creation }) },
      { passkeys: passkeys(kind) },
    )
    await person.click((await part('Passkeys')).getByRole('button', { name: 'Add a passkey' }))
    await person.type(dialog().getByLabelText('Name'), 'Laptop{Enter}')
    expect((await dialog().findByRole('alert')).textContent).toMatch(words)
  })

  it('is removed after a question', async () => {
    await openProfile({
      'GET /api/user/passkeys': [data([PASSKEY]), data([])],
      [`DELETE /api/user/passkeys/${PHONE}`]: data(null),
    })
    const section = await part('Passkeys')
    await person.click(await section.findByRole('button', { name: 'Remove' }))
    await person.click(dialog().getByRole('button', { name: 'Remove' }))
    await section.findByText(/safest way/)
  })
})
