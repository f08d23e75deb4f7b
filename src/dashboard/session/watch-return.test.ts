import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { data, refusal } from '../testing/answers.ts'
import { openDashboard, SESSION } from '../testing/open-dashboard.ts'

const ended = refusal(401, 'unauthorized', 'Sign in.')
const ASKED = 'GET /api/session'

describe('a page that a person comes back to', () => {
  it.each([
    ['from another tab', () => document.dispatchEvent(new Event('visibilitychange'))],
    [
      'by Back, where the browser kept it',
      () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    ],
  ])('shows nothing any more after a sign-out elsewhere: %s', async (_name, comeBack) => {
    const { address } = await openDashboard('/team', { answers: { [ASKED]: [data(SESSION), ended] } })
    await screen.findByRole('banner')
    comeBack()
    await waitFor(() => expect(address()).toBe('/sign-in?next=%2Fteam'))
    expect(screen.queryByRole('button', { name: /Grace Hopper/ })).toBeNull()
  })

  it('is asked for nothing while it is left, or when it is first shown', async () => {
    const { lines } = await openDashboard('/team')
    await screen.findByRole('banner')
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    visibility.mockRestore()
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(lines().filter((line) => line === ASKED)).toHaveLength(1)
  })
})
