import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../browser.ts'
import { data, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'

const CODES = Array.from({ length: 10 }, (_, n) => `code-${String(n)}`)
const PHONE = '6b01799184f819f4cecbe1b1'
const OTHER = '6b01799184f819f4cecbe1b2'
const passkey = {
  id: PHONE,
  name: 'Phone',
  created_at: '2026-11-01T10:00:00Z',
  last_used_at: null,
}
const session = (id: string, user_agent: string, is_current: boolean) => ({
  id,
  user_agent,
  is_current,
  created_at: '2026-11-20T10:00:00Z',
  seen_at: '2026-11-21T09:00:00Z',
  address: '203.0.113.7',
})

const open = (answers: Answers = {}, browser: Partial<Browser> = {}) =>
  openDashboard('/profile', {
    browser,
    answers: {
      'GET /api/user/passkeys': data([passkey]),
      'GET /api/sessions': data([
        session(PHONE, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true),
        session(OTHER, 'curl/8.0', false),
      ]),
      ...answers,
    },
  })
const part = async (name: string) => within(await screen.findByRole('region', { name }))
const dialog = () => within(screen.getByRole('dialog'))

describe('my profile', () => {
  it('saves name and time zone', async () => {
    const { sent } = await open({ 'PATCH /api/user': data(null) })
    const about = await part('About you')
    const name = about.getByLabelText('Name')
    await person.clear(name)
    await person.type(name, 'Rear Admiral Hopper')
    await person.selectOptions(about.getByLabelText('Time zone'), 'Europe/Berlin')
    await person.click(about.getByRole('button', { name: 'Save' }))
    await screen.findByText('Your profile was saved.')
    expect(sent.find(({ line }) => line === 'PATCH /api/user')?.body).toEqual({
      name: 'Rear Admiral Hopper',
      time_zone: 'Europe/Berlin',
    })
  })

  it('changes the password, and says at its field that the old one is wrong', async () => {
    const wrong = refusal(400, 'validation_error', 'The request is not valid.', [
      { path: 'old', message: 'is not your password' },
    ])
    await open({ 'POST /api/user/password': [wrong, data(null)] })
    const password = await part('Password')
    await person.type(password.getByLabelText('Current password'), 'wrong')
    await person.type(password.getByLabelText('New password'), 'a few words together')
    await person.click(password.getByRole('button', { name: 'Change password' }))
    await password.findByText('This is not your password.')
    await waitFor(() => expect(document.activeElement).toBe(password.getByLabelText('Current password')))
    await person.click(password.getByRole('button', { name: 'Change password' }))
    await screen.findByText('Your password was changed.')
    expect(password.getByLabelText<HTMLInputElement>('New password').value).toBe('')
  })
})

describe('an authenticator app', () => {
  const uri = 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP'
  const setup = data({ secret: 'JBSWY3DPEHPK3PXP', uri }, { status: 201 })

  it('is set up after the password was given: a QR code, the secret, a first code, then the recovery codes', async () => {
    const { sent, copied } = await open({
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
    await person.click(dialog().getByRole('button', { name: 'I have kept them' }))
    expect(document.body.textContent).not.toContain('code-9')
    const keys = sent.filter(({ line }) => line === 'POST /api/user/totp').map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
  })

  it('is not set up by who does not give the password', async () => {
    const { lines } = await open({
      'POST /api/user/totp': refusal(403, 'password_required', 'Confirm your password.'),
    })
    await person.click((await part('Authenticator app')).getByRole('button', { name: 'Set up' }))
    await person.click(await dialog().findByRole('button', { name: 'Cancel' }))
    await screen.findByText(/Nothing was changed/)
    expect(lines().filter((line) => line === 'POST /api/user/totp')).toHaveLength(1)
  })

  it('is removed after a question', async () => {
    const withApp = sessionOf({ has_totp: true, recovery_codes_left: 2 })
    const { lines } = await open({ 'GET /api/session': data(withApp), 'DELETE /api/user/totp': data(null) })
    const app = await part('Authenticator app')
    await person.click(app.getByRole('button', { name: 'Remove' }))
    expect(lines()).not.toContain('DELETE /api/user/totp')
    await person.click(dialog().getByRole('button', { name: 'Remove' }))
    await screen.findByText('The authenticator app was removed.')
  })
})

describe('recovery codes', () => {
  it('are made anew, and shown once', async () => {
    await open({
      'GET /api/session': data(sessionOf({ has_totp: true, recovery_codes_left: 2 })),
      'POST /api/user/recovery_codes': data({ recovery_codes: CODES }, { status: 201 }),
    })
    const codes = await part('Recovery codes')
    expect(codes.getByText('2 codes left')).toBeDefined()
    await person.click(codes.getByRole('button', { name: 'Make new codes' }))
    await person.click(dialog().getByRole('button', { name: 'Make new codes' }))
    await screen.findByText('code-0')
  })

  it('need a second factor', async () => {
    await open()
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
    const { sent } = await open(
      {
        'POST /api/user/passkeys/options': data({ options: creation }),
        'POST /api/user/passkeys': data({ ...passkey, recovery_codes: CODES }, { status: 201 }),
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
    ['exists', /has a passkey for your account already/],
    ['stopped', /No passkey was made/],
  ] as const)('that %s is not added', async (kind, words) => {
    await open(
      { 'POST /api/user/passkeys/options': data({ options: creation }) },
      { passkeys: passkeys(kind) },
    )
    await person.click((await part('Passkeys')).getByRole('button', { name: 'Add a passkey' }))
    await person.type(dialog().getByLabelText('Name'), 'Laptop{Enter}')
    expect((await dialog().findByRole('alert')).textContent).toMatch(words)
  })

  it('is removed after a question', async () => {
    await open({
      'GET /api/user/passkeys': [data([passkey]), data([])],
      [`DELETE /api/user/passkeys/${PHONE}`]: data(null),
    })
    const section = await part('Passkeys')
    await person.click(await section.findByRole('button', { name: 'Remove' }))
    await person.click(dialog().getByRole('button', { name: 'Remove' }))
    await section.findByText(/safest way/)
  })
})

describe('sessions', () => {
  it('are named by their devices; another one is ended', async () => {
    const { lines } = await open({ [`DELETE /api/sessions/${OTHER}`]: data(null) })
    const sessions = await part('Where you are logged in')
    expect((await sessions.findByText(/Firefox on Linux/)).textContent).toContain('This one')
    await person.click(sessions.getByRole('button', { name: 'Log out' }))
    await screen.findByText('That session was ended.')
    expect(lines()).toContain(`DELETE /api/sessions/${OTHER}`)
  })

  it('all end at once, this one too', async () => {
    const { address } = await open({
      'GET /api/session': [data(sessionOf({})), refusal(401, 'unauthorized', 'Log in.')],
      'DELETE /api/sessions': data(null),
    })
    await person.click(
      (await part('Where you are logged in')).getByRole('button', { name: 'Log out everywhere' }),
    )
    await person.click(dialog().getByRole('button', { name: 'Log out everywhere' }))
    await waitFor(() => expect(address()).toBe('/log-in?next=%2Fprofile'))
  })
})
