import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, refusal } from '../testing/answers.ts'
import { openDashboard, person, SESSION, sessionOf } from '../testing/open-dashboard.ts'

const DUSK = { id: '6b01799184f819f4cecbe1a9', name: 'Dusk Lamps', role: 'viewer' as const }

describe('the frame of pages', () => {
  it('says which merchant, which environment and who', async () => {
    await openDashboard('/')
    expect((await screen.findByRole('banner')).textContent).toMatch(/^MMarlow & FinchSandbox/)
    expect(screen.getByRole('button', { name: 'Your account: Grace Hopper' }).textContent).toMatch(
      /GHGrace Hopper$/,
    )
  })

  it('goes to a page by its link; the title has the focus, and the link is the current one', async () => {
    await openDashboard('/')
    await person.click(await screen.findByRole('link', { name: 'Team' }))
    const title = await screen.findByRole('heading', { level: 1, name: 'Team' })
    await waitFor(() => expect(document.activeElement).toBe(title))
    expect(screen.getByRole('link', { name: 'Team' }).getAttribute('aria-current')).toBe('page')
    expect(screen.getByRole('link', { name: 'Overview' }).hasAttribute('aria-current')).toBe(false)
    expect(document.title).toBe('Team · Dashboard')
  })

  it('says that there is no such page', async () => {
    await openDashboard('/nowhere')
    await screen.findByRole('heading', { level: 1, name: 'There is no such page' })
  })

  it('says why nobody can be signed in, and tries again', async () => {
    await openDashboard('/', {
      answers: { 'GET /api/session': [refusal(503, 'service_unavailable', 'x'), data(SESSION)] },
    })
    expect((await screen.findByRole('alert')).textContent).toContain('The service is busy')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('banner')
  })
})

describe('the menu of a person', () => {
  it('goes to another merchant', async () => {
    const both = { ...SESSION, merchants: [...SESSION.merchants, DUSK] }
    const { sent } = await openDashboard('/team', {
      answers: {
        'GET /api/session': [
          data(both),
          data({
            ...both,
            merchant: { id: DUSK.id, name: DUSK.name },
            user: sessionOf({ role: 'viewer' }).user,
          }),
        ],
        'POST /api/session/merchant': data(null, { status: 201 }),
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Dusk Lamps' }))
    await waitFor(() => expect(screen.getByRole('banner').textContent).toMatch(/^DDusk Lamps/))
    expect(sent.find(({ line }) => line === 'POST /api/session/merchant')?.body).toEqual({ id: DUSK.id })
  })

  it('signs out', async () => {
    const { address } = await openDashboard('/team', {
      answers: {
        'GET /api/session': [data(SESSION), refusal(401, 'unauthorized', 'Sign in.')],
        'DELETE /api/session': data(null),
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(address()).toBe('/sign-in'))
  })

  it('says that signing out failed', async () => {
    await openDashboard('/team', { answers: { 'DELETE /api/session': refusal(500, 'system_error', 'x') } })
    await person.click(await screen.findByRole('button', { name: 'Sign out' }))
    await screen.findByText(/went wrong on our side/)
  })
})
