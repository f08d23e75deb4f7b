import { act, cleanup } from '@testing-library/preact'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import type { SessionView } from '../../contract/dashboard/session-view.ts'
import type { Browser } from '../browser.ts'
import { ROUTES } from '../routes.ts'
import { startDashboard } from '../start-dashboard.tsx'
import { createService, data } from './answers.ts'
import type { Answers } from './answers.ts'

/** A moment at which every test takes place. */
export const NOW = Date.parse('2026-11-21T10:00:00Z')

export const MERCHANT = { id: '6b01799184f819f4cecbe1a7', name: 'Marlow & Finch' }

/** Grace, an owner, who is logged in. */
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

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  cleanup()
  document.body.replaceChildren()
})

interface OpenOptions {
  /** Answers beside that to `GET /api/session`, which is `SESSION` unless it is given here. */
  answers?: Answers
  browser?: Partial<Browser>
}

/** Opens an address of the dashboard in front of a service that gives `answers`. */
export async function openDashboard(address: string, { answers = {}, browser = {} }: OpenOptions = {}) {
  // The code of pages is there at once, as in a browser that has been here before.
  await Promise.all(ROUTES.map(({ load }) => load()))
  standInForPopovers()
  window.history.replaceState(null, '', address)
  const { send, sent } = createService({ 'GET /api/session': data(SESSION), ...answers })
  const copied: string[] = []
  let keysMade = 0
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  await act(async () => {
    const stop = startDashboard(
      {
        window,
        document,
        now: () => NOW,
        send,
        openEvents: () => ({ addEventListener: () => undefined, close: () => undefined, readyState: 1 }),
        createKey: () => `key-${String((keysMade += 1))}`,
        online: () => true,
        languages: ['en-AU'],
        timeZone: 'Australia/Sydney',
        copy: (text) => Promise.resolve(void copied.push(text)),
        passkeys: {
          isSupported: false,
          ask: () => Promise.resolve({ kind: 'stopped' }),
          make: () => Promise.resolve({ kind: 'stopped' }),
        },
        ...browser,
      },
      element,
    )
    stops.push(stop)
    await settled()
  })
  return { sent, copied, lines: () => sent.map(({ line }) => line), address: () => addressOf(window) }
}

/** A person at keyboard and mouse. */
export const person = userEvent.setup()

/** Lets answers arrive and be shown. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setTimeout(done, 0))
}

function addressOf({ location }: Window): string {
  return location.pathname + location.search + location.hash
}

/** happy-dom has no popovers. */
function standInForPopovers(): void {
  for (const name of ['showPopover', 'hidePopover'])
    if (!(name in HTMLElement.prototype)) Object.assign(HTMLElement.prototype, { [name]: () => undefined })
}
