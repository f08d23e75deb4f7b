import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, refusal } from '../../testing/answers.ts'
import { openDashboard, person, SESSION } from '../../testing/open-dashboard.ts'

const OFFER = {
  merchant: 'Marlow & Finch',
  email: 'ada@marlow.example',
  role: 'developer',
  has_account: false,
  resets_password: false,
}
const nobody = refusal(401, 'unauthorized', 'Sign in.')

const open = (offer: object, accepted = data({ state: 'signed_in' }, { status: 201 })) =>
  openDashboard('/invitation#secret-token', {
    answers: {
      'GET /api/session': [nobody, data(SESSION)],
      'POST /api/invitations/read': data({ ...OFFER, ...offer }),
      'POST /api/invitations/accept': accepted,
    },
  })

describe('an invitation', () => {
  it('is accepted by a new person with a name and a password', async () => {
    const { sent, address } = await open({})
    await screen.findByRole('heading', { name: 'Join Marlow & Finch' })
    expect(screen.getByText(/invited as a developer/)).toBeDefined()
    await person.type(screen.getByLabelText('Your name'), 'Ada Lovelace')
    await person.type(screen.getByLabelText('Choose a password'), 'a few words together')
    await person.click(screen.getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(sent.find(({ line }) => line.endsWith('accept'))?.body).toEqual({
      token: 'secret-token',
      name: 'Ada Lovelace',
      password: 'a few words together',
    })
    expect(sent.every(({ line }) => !line.includes('secret-token'))).toBe(true)
  })

  it('is not sent with a password that is too short', async () => {
    const { lines } = await open({})
    await person.type(await screen.findByLabelText('Your name'), 'Ada')
    await person.type(screen.getByLabelText('Choose a password'), 'eleven char')
    await person.click(screen.getByRole('button', { name: 'Join' }))
    expect(screen.getByText(/Use at least 12 characters/)).toBeDefined()
    expect(lines()).not.toContain('POST /api/invitations/accept')
  })

  it('asks a person who has an account for its password, and for its second factor', async () => {
    const { sent } = await open(
      { has_account: true },
      data({ state: 'second_factor', methods: ['totp'] }, { status: 201 }),
    )
    await person.type(await screen.findByLabelText('Password'), 'old one')
    expect(screen.queryByLabelText('Your name')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Join' }))
    await screen.findByRole('heading', { name: 'Enter the code' })
    expect(sent.at(-1)?.body).toEqual({ token: 'secret-token', password: 'old one' })
  })

  it('is shown to who is signed in too, who may work for several merchants', async () => {
    const { address } = await openDashboard('/invitation#secret-token', {
      answers: {
        'POST /api/invitations/read': data({ ...OFFER, merchant: 'Second Shop', has_account: true }),
        'POST /api/invitations/accept': data({ state: 'signed_in' }, { status: 201 }),
      },
    })
    await screen.findByRole('heading', { name: 'Join Second Shop' })
    expect(screen.getByText(/You are signed in as grace@marlow.example/)).toBeDefined()
    await person.type(screen.getByLabelText('Password'), 'old one')
    await person.click(screen.getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(address()).toBe('/'))
  })

  it('that is no longer good says so', async () => {
    await openDashboard('/invitation#used', {
      answers: {
        'GET /api/session': nobody,
        'POST /api/invitations/read': refusal(404, 'not_found', 'This link is not good any more.'),
      },
    })
    expect((await screen.findByRole('alert')).textContent).toBe('This link is not good any more.')
    expect(screen.getByRole('link', { name: 'Go to the sign-in page' })).toBeDefined()
  })
})

it('a link of which a part is missing says so', async () => {
  const details = [{ path: 'token', message: 'must be the part of the link behind #' }]
  const wrong = refusal(400, 'validation_error', 'Correct what details names.', details)
  await openDashboard('/invitation#half', {
    answers: { 'GET /api/session': nobody, 'POST /api/invitations/read': wrong },
  })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^A part of this link is missing/)
})

describe('a link that resets the password', () => {
  it('asks for a new password alone', async () => {
    const { sent, address } = await open({ resets_password: true })
    await screen.findByRole('heading', { name: 'Choose a new password' })
    expect(screen.queryByLabelText('Your name')).toBeNull()
    await person.type(screen.getByLabelText('Choose a password'), 'a few words together')
    await person.click(screen.getByRole('button', { name: 'Save and sign in' }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(sent.find(({ line }) => line.endsWith('accept'))?.body).toEqual({
      token: 'secret-token',
      password: 'a few words together',
    })
  })
})
