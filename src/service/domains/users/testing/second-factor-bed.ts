import { createSetClock } from '../../../testing/set-clock.ts'
import { personWithApp, withPasswordOnly } from './person-with-app.ts'
import type { PersonWithApp } from './person-with-app.ts'
import type { Browser, PageAnswer } from './browser.ts'
import { createSignInBed } from './sign-in-bed.ts'
import type { SignInBed, Person } from './sign-in-bed.ts'

/** A service with people who have a second factor, at a time that stands still. */
export interface SecondFactorBed {
  bed: SignInBed
  /** A person with an authenticator app. */
  withApp: () => Promise<PersonWithApp>
  /** A browser in which a person has given the password alone. */
  withPasswordOnly: (person: Person) => Promise<Browser>
}

export async function createSecondFactorBed(): Promise<SecondFactorBed> {
  const { timeOfDay } = createSetClock(Date.parse('2026-11-22T10:00:00Z'))
  const bed = await createSignInBed({ timeOfDay })
  return {
    bed,
    withApp: () => personWithApp(bed, timeOfDay),
    withPasswordOnly: (person) => withPasswordOnly(bed, person),
  }
}

export const giveSecondFactor = (page: Browser, factor: object): Promise<PageAnswer> =>
  page.post('/api/session/second_factor', factor)

export const SIGNED_IN = { status: 201, data: { state: 'signed_in' } }
export const REFUSED = { status: 401, error: { code: 'unauthorized' } }
