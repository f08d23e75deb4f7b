import type { Browser } from '../browser.ts'

/** The moment at which every test takes place. */
const NOW = Date.parse('2026-11-21T10:00:00Z')

/** A browser whose requests go to `send`, and which puts what is copied into `copied`. */
export function testBrowser(send: Browser['send'], copied: string[] = []): Browser {
  let keysMade = 0
  const stopped = () => Promise.resolve({ kind: 'stopped' } as const)
  return {
    window,
    document,
    now: () => NOW,
    send,
    openEvents: () => ({ addEventListener: () => undefined, close: () => undefined, readyState: 1 }),
    createKey: () => `key-${String((keysMade += 1))}`,
    online: () => true,
    languages: ['en-AU'],
    timeZone: () => 'Australia/Sydney',
    timeZones: () => ['Australia/Sydney', 'Europe/Berlin'],
    copy: (text) => Promise.resolve(void copied.push(text)),
    passkeys: { isSupported: false, ask: stopped, make: stopped },
  }
}

/** Lets answers arrive and be shown. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setTimeout(done, 0))
}

/** happy-dom has no popovers. */
export function standInForPopovers(): void {
  for (const name of ['showPopover', 'hidePopover'])
    if (!(name in HTMLElement.prototype)) Object.assign(HTMLElement.prototype, { [name]: () => undefined })
}
