import { generate } from 'otplib'
import * as v from 'valibot'
import { RecoveryCodes, TotpSetup } from '../../../../contract/dashboard/people/user-settings.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Browser } from './browser.ts'
import type { SignInBed, Person } from './sign-in-bed.ts'

/** A person with an authenticator app, and a browser in which that person is signed in. */
export interface PersonWithApp {
  person: Person
  page: Browser
  /** The code that the app shows, a number of steps of 30 s from now. */
  code: (steps?: number) => Promise<string>
  recoveryCodes: string[]
}

/** A new one; the code of the step before this one turned the app on, and is used up. */
export async function personWithApp(bed: SignInBed, clock: TimeOfDay): Promise<PersonWithApp> {
  const person = await bed.addPerson()
  const page = await bed.signedIn(person)
  const { secret } = v.parse(TotpSetup, (await page.post('/api/user/totp')).data)
  const code = (steps = 0) => generate({ secret, epoch: Math.floor(clock.epochMs() / 1000) + 30 * steps })
  const confirmed = await page.post('/api/user/totp/confirm', { code: await code(-1) })
  const { recovery_codes: recoveryCodes } = v.parse(RecoveryCodes, confirmed.data)
  return { person, page, code, recoveryCodes }
}

/** A browser in which only the password was given. */
export async function withPasswordOnly(bed: SignInBed, person: Person): Promise<Browser> {
  const page = bed.browser()
  const { data } = await page.post('/api/session', person)
  const wanted = { state: 'second_factor', methods: ['totp', 'recovery_code'] }
  if (JSON.stringify(data) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(data))
  return page
}
