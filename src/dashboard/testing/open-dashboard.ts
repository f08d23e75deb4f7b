import { act } from '@testing-library/preact'
import { userEvent } from '@testing-library/user-event'
import { onTestFinished } from 'vitest'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import type { Browser } from '../browser.ts'
import { ROUTES } from '../routes.ts'
import { startDashboard } from '../start-dashboard.tsx'
import { createService, data } from './answers.ts'
import type { Answers } from './answers.ts'
import { settled, standInForPopovers, testBrowser } from './test-browser.ts'

export const MERCHANT = { id: '6b01799184f819f4cecbe1a7', name: 'Marlow & Finch' }

/** Grace, an owner, who is signed in. */
export const SESSION: SessionView = {
  user: {
    id: '6b01799184f819f4cecbe1a1',
    email: 'grace@marlow.example',
    name: 'Grace Hopper',
    role: 'owner',
    has_totp: false,
    passkeys: 0,
    recovery_codes_left: 0,
  },
  merchant: MERCHANT,
  merchants: [{ ...MERCHANT, role: 'owner' }],
  fresh_until: null,
  time_zone: 'Australia/Sydney',
  environment: 'sandbox',
  service_url: 'http://localhost:8080',
}

/** The same with another role, or with other second factors. */
export function sessionOf(user: Partial<SessionView['user']>): SessionView {
  return { ...SESSION, user: { ...SESSION.user, ...user } }
}

interface OpenOptions {
  /** Answers beside that to `GET /api/session`, which is `SESSION` unless it is given here. */
  answers?: Answers
  browser?: Partial<Browser>
}

// The code of pages is there at once, as in a browser that has been here before; no test waits for it.
await Promise.all(ROUTES.map(({ load }) => load()))

/** Opens an address of the dashboard in front of a service that gives `answers`. */
export async function openDashboard(address: string, { answers = {}, browser = {} }: OpenOptions = {}) {
  standInForPopovers()
  window.history.replaceState(null, '', address)
  const { send, sent } = createService({ 'GET /api/session': data(SESSION), ...answers })
  const copied: string[] = []
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  await act(async () => {
    const stop = startDashboard({ ...testBrowser(send, copied), ...browser }, element)
    onTestFinished(() => {
      stop()
      element.remove()
    })
    await settled()
  })
  return { sent, copied, lines: () => sent.map(({ line }) => line), address: () => addressOf(window) }
}

/** A person at keyboard and mouse. */
export const person = userEvent.setup()

function addressOf({ location }: Window): string {
  return location.pathname + location.search + location.hash
}
