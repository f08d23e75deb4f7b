import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, refusal } from '../../testing/answers.ts'
import { person, sessionOf } from '../../testing/open-dashboard.ts'
import { dialog, openProfile, OTHER, part } from './testing/open-profile.ts'

describe('my profile', () => {
  it('saves name and time zone', async () => {
    const { sent } = await openProfile({ 'PATCH /api/user': data(null) })
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
    await openProfile({ 'POST /api/user/password': [wrong, data(null)] })
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

describe('sessions', () => {
  it('are named by their devices; another one is ended', async () => {
    const { lines } = await openProfile({ [`DELETE /api/sessions/${OTHER}`]: data(null) })
    const sessions = await part('Where you are signed in')
    expect((await sessions.findByText(/Firefox on Linux/)).textContent).toContain('This one')
    await person.click(sessions.getByRole('button', { name: 'Sign out' }))
    await screen.findByText('That session was ended.')
    expect(lines()).toContain(`DELETE /api/sessions/${OTHER}`)
  })

  it('all end at once, this one too', async () => {
    const { address } = await openProfile({
      'GET /api/session': [data(sessionOf({})), refusal(401, 'unauthorized', 'Sign in.')],
      'DELETE /api/sessions': data(null),
    })
    await person.click(
      (await part('Where you are signed in')).getByRole('button', { name: 'Sign out everywhere' }),
    )
    await person.click(dialog().getByRole('button', { name: 'Sign out everywhere' }))
    await waitFor(() => expect(address()).toBe('/sign-in?next=%2Fprofile'))
  })
})
