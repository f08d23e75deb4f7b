import { generate } from 'otplib'
import * as v from 'valibot'
import { RecoveryCodes, TotpSetup } from '../../../../contract/dashboard/people/user-settings.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import { createSetClock } from '../../../testing/set-clock.ts'
import type { Browser, PageAnswer } from './browser.ts'
import { createSignInBed } from './sign-in-bed.ts'
import type { SignInBed, Person } from './sign-in-bed.ts'

/** A service with people who have a second factor, and a clock that stands still. */
export interface SecondFactorBed {
  bed: SignInBed
  /** A person with an authenticator app. */
  withApp: () => Promise<PersonWithApp>
  /** A browser in which a person has given only the password. */
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

/** A person with an authenticator app, who is signed in. */
export interface PersonWithApp {
  person: Person
  page: Browser
  /** The app's code, a number of steps of 30 s from now. */
  code: (steps?: number) => Promise<string>
  recoveryCodes: string[]
}

/** The code of the step before now turned the app on, and is used up. */
async function personWithApp(bed: SignInBed, clock: TimeOfDay): Promise<PersonWithApp> {
  const person = await bed.addPerson()
  const page = await bed.signedIn(person)
  const { secret } = v.parse(TotpSetup, (await page.post('/api/user/totp')).data)
  const code = (steps = 0) => generate({ secret, epoch: Math.floor(clock.epochMs() / 1000) + 30 * steps })
  const confirmed = await page.post('/api/user/totp/confirm', { code: await code(-1) })
  const { recovery_codes: recoveryCodes } = v.parse(RecoveryCodes, confirmed.data)
  return { person, page, code, recoveryCodes }
}

async function withPasswordOnly(bed: SignInBed, person: Person): Promise<Browser> {
  const page = bed.browser()
  const { data } = await page.post('/api/session', person)
  const wanted = { state: 'second_factor', methods: ['totp', 'recovery_code'] }
  if (JSON.stringify(data) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(data))
  return page
}
