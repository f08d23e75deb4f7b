import { randomBytes, randomInt } from 'node:crypto'
import { request } from '@playwright/test'
import type { APIRequestContext, Browser, BrowserContext } from '@playwright/test'
import { DASHBOARD_URL } from './addresses.ts'
import { linkFor } from './merchants.ts'
import type { Merchant } from './merchants.ts'

/** A member of a merchant's team. */
export interface Person {
  name: string
  email: string
  password: string
  /** The person's IP address, as a proxy would report it, so that limits by address count nobody else. */
  headers: Readonly<Record<string, string>>
}

/** The browser's state of a person who is signed in. */
export type SignedIn = Awaited<ReturnType<APIRequestContext['storageState']>>

/** The state of a browser in which nobody is signed in. */
export const NOBODY: SignedIn = { cookies: [], origins: [] }

/** A new person with an e-mail address and a password, who is in no team yet. */
export function somebody(name: string): Person {
  return {
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(4).toString('hex')}@kestrel.example`,
    password: randomBytes(12).toString('base64url'),
    headers: { 'x-forwarded-for': `198.51.${randomInt(256)}.${randomInt(1, 255)}` },
  }
}

/** Somebody who has joined a merchant's team by the operator's link. */
export async function join(
  merchant: Merchant,
  role: 'owner' | 'developer' | 'viewer',
  name: string,
): Promise<{ person: Person; state: SignedIn }> {
  const person = somebody(name)
  const link = new URL(await linkFor(merchant, person.email, role))
  const browser = await request.newContext({
    baseURL: DASHBOARD_URL,
    extraHTTPHeaders: { ...person.headers, origin: DASHBOARD_URL },
    storageState: NOBODY,
  })
  const answer = await browser.post('/api/invitations/accept', {
    data: { token: link.hash.slice(1), name, password: person.password },
  })
  if (!answer.ok()) throw new Error(`${name} could not join: ${await answer.text()}`)
  const state = await browser.storageState()
  await browser.dispose()
  return { person, state }
}

/** A browser of a person's own, in which they are signed in, or nobody is. */
export function browserOf(browser: Browser, person: Person, state = NOBODY): Promise<BrowserContext> {
  return browser.newContext({ extraHTTPHeaders: person.headers, storageState: state })
}
