import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, refusal } from '../../testing/answers.ts'
import { openDashboard, person, SESSION } from '../../testing/open-dashboard.ts'

const nobody = refusal(401, 'unauthorized', 'Sign in.')
const signedIn = data({ state: 'signed_in' }, { status: 201 })
const second = (...methods: string[]) => data({ state: 'second_factor', methods }, { status: 201 })

async function signIn(email = 'grace@marlow.example', password = 'a long password'): Promise<void> {
  await person.type(await screen.findByLabelText('E-mail'), email)
  await person.type(screen.getByLabelText('Password'), password)
  await person.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('somebody who is not signed in', () => {
  it('is led from any page to the sign-in, and afterwards back to that page', async () => {
    const { sent, address } = await openDashboard('/team?x=1', {
      answers: { 'GET /api/session': [nobody, data(SESSION)], 'POST /api/session': signedIn },
    })
    expect(address()).toBe('/sign-in?next=%2Fteam%3Fx%3D1')
    await signIn()
    await screen.findByRole('heading', { name: 'Team' })
    expect(address()).toBe('/team?x=1')
    expect(sent.find(({ line }) => line === 'POST /api/session')?.body).toEqual({
      email: 'grace@marlow.example',
      password: 'a long password',
    })
  })

  it('is not led to another site afterwards', async () => {
    const { address } = await openDashboard('/sign-in?next=https://elsewhere.example/', {
      answers: { 'GET /api/session': [nobody, data(SESSION)], 'POST /api/session': signedIn },
    })
    await signIn()
    await waitFor(() => expect(address()).toBe('/'))
  })

  it('reads why the sign-in was refused, and what is missing', async () => {
    await openDashboard('/sign-in', {
      answers: {
        'GET /api/session': nobody,
        'POST /api/session': refusal(401, 'unauthorized', 'The e-mail address or the password is wrong.'),
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Sign in' }))
    const email = screen.getByLabelText('E-mail')
    expect(email.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(email))
    await signIn()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The e-mail address or the password is wrong.',
    )
  })
})

describe('somebody who is signed in', () => {
  it('does not see the sign-in', async () => {
    const { address } = await openDashboard('/sign-in?next=/profile')
    expect(address()).toBe('/profile')
  })

  it('whose session ends comes back to the same page after the sign-in', async () => {
    const { address } = await openDashboard('/team', {
      answers: {
        'GET /api/session': [data(SESSION), nobody, data(SESSION)],
        'GET /api/team': nobody,
        'POST /api/session': signedIn,
      },
    })
    await waitFor(() => expect(address()).toBe('/sign-in?next=%2Fteam'))
    await signIn()
    await waitFor(() => expect(address()).toBe('/team'))
  })
})

describe('the second factor', () => {
  it('is a code of the app; after a wrong one another can be sent', async () => {
    const { sent, address } = await openDashboard('/sign-in', {
      answers: {
        'GET /api/session': [nobody, data(SESSION)],
        'POST /api/session': second('totp', 'recovery_code'),
        'POST /api/session/second_factor': [
          refusal(401, 'unauthorized', 'The code is wrong, or was used before.'),
          signedIn,
        ],
      },
    })
    await signIn()
    const code = await screen.findByLabelText('Code')
    expect(document.activeElement).toBe(code)
    await person.type(code, '123456{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('The code is wrong, or was used before.')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(sent.find(({ line }) => line.endsWith('second_factor'))?.body).toEqual({ code: '123456' })
  })

  it('can be a recovery code', async () => {
    const { sent, address } = await openDashboard('/sign-in', {
      answers: {
        'GET /api/session': [nobody, data(SESSION)],
        'POST /api/session': second('totp', 'recovery_code'),
        'POST /api/session/second_factor': signedIn,
      },
    })
    await signIn()
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await person.type(screen.getByLabelText('Recovery code'), 'abcd-efgh{Enter}')
    await waitFor(() => expect(address()).toBe('/'))
    expect(sent.find(({ line }) => line.endsWith('second_factor'))?.body).toEqual({
      recovery_code: 'abcd-efgh',
    })
  })
})

describe('a passkey', () => {
  const options = { challenge: 'AAAA' }
  const answers = {
    'GET /api/session': [nobody, data(SESSION)],
    'POST /api/session/passkey/options': data({ options }),
    'POST /api/session/passkey': signedIn,
  }
  const passkeys = (kind: 'given' | 'stopped') => ({
    isSupported: true,
    ask: () => Promise.resolve({ kind, response: { id: 'credential' } }),
    make: () => Promise.resolve({ kind: 'stopped' as const }),
  })

  it('signs in without a password', async () => {
    const { sent, address } = await openDashboard('/sign-in', {
      answers,
      browser: { passkeys: passkeys('given') },
    })
    await person.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(sent.find(({ line }) => line === 'POST /api/session/passkey')?.body).toEqual({
      response: { id: 'credential' },
    })
  })

  it('that the person does not give leaves the other ways', async () => {
    await openDashboard('/sign-in', { answers, browser: { passkeys: passkeys('stopped') } })
    await person.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/not used/)
    expect(screen.getByLabelText('Password')).toBeDefined()
  })

  it('is not offered by a browser that has none', async () => {
    await openDashboard('/sign-in', { answers })
    await screen.findByLabelText('Password')
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull()
  })
})
