import { screen, within } from '@testing-library/preact'
import type { Browser } from '../../../browser.ts'
import { data } from '../../../testing/answers.ts'
import type { Answers } from '../../../testing/answers.ts'
import { openDashboard } from '../../../testing/open-dashboard.ts'

export const PHONE = '6b01799184f819f4cecbe1b1'
export const OTHER = '6b01799184f819f4cecbe1b2'

export const PASSKEY = {
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

/** Opens the profile of a person with one passkey, who is signed in twice. */
export function openProfile(answers: Answers = {}, browser: Partial<Browser> = {}) {
  return openDashboard('/profile', {
    browser,
    answers: {
      'GET /api/user/passkeys': data([PASSKEY]),
      'GET /api/sessions': data([
        session(PHONE, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true),
        session(OTHER, 'curl/8.0', false),
      ]),
      ...answers,
    },
  })
}

/** A section of the profile. */
export const part = async (name: string) => within(await screen.findByRole('region', { name }))

export const dialog = () => within(screen.getByRole('dialog'))
