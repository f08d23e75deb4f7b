import { createHash } from 'node:crypto'
import type { MonotonicClock } from '../../platform/clocks.ts'
import type { CallerKey } from '../../platform/http/callers/sender.ts'
import { countShared } from '../../platform/http/callers/admission.ts'
import type { RateWindowStore } from '../../platform/rate-limits.ts'
import { createSharedLimit } from '../../platform/rate-limits.ts'

interface ThrottleDeps {
  store: Pick<RateWindowStore, 'count'>
  clock: MonotonicClock
  onFault: (error: unknown) => void
  /** How long to wait for the database's count, in ms. */
  timeoutMs?: number | undefined
}

/** How many tries are allowed within how many minutes, at all processes together. */
interface Tries {
  max: number
  minutes: number
}

const ADDRESS: Tries = { max: 30, minutes: 5 }
const ACCOUNT: Tries = { max: 10, minutes: 15 }
const ACCOUNT_FROM_KNOWN_PLACE: Tries = { max: 30, minutes: 15 }
const TOTP: Tries = { max: 5, minutes: 15 }
const TOTP_A_DAY: Tries = { max: 20, minutes: 24 * 60 }
const RECOVERY_CODE: Tries = { max: 10, minutes: 60 }
const PASSWORD_AGAIN: Tries = { max: 10, minutes: 15 }

/**
 * Limits how often somebody may try to sign in. All processes together count each try before it happens, and throw
 * `rate_limited`.
 *
 * An address may try 30 times in 5 minutes, and give as many second factors. All strangers together may try one account 10 times
 * in 15 minutes; each network and browser that its owner has used may try 30 times. So guesses from many addresses keep the owner
 * out neither at the usual place, nor with a passkey, which nobody can guess. Of an app's million codes three are valid at a
 * time, and somebody who knows the password may try 20 a day.
 */
export interface Throttle {
  address: (network: CallerKey) => Promise<void>
  /** Counted apart from the first step, because people of one office need both. */
  addressOfSecondFactor: (network: CallerKey) => Promise<void>
  /** Counts unknown addresses alike. `knownPlace`: a network or browser that the owner has used. */
  account: (email: string, knownPlace: string | null) => Promise<void>
  totp: (userId: string) => Promise<void>
  recoveryCode: (userId: string) => Promise<void>
  /** For a signed-in person who confirms the password. */
  passwordAgain: (userId: string) => Promise<void>
}

export function createThrottle({ timeoutMs, ...deps }: ThrottleDeps): Throttle {
  const shared = { ...deps, ...(timeoutMs !== undefined && { timeoutMs }) }
  const limit = (name: string, { max, minutes }: Tries) => {
    const tries = createSharedLimit({
      name,
      rate: { perSecond: max / (minutes * 60), burst: max },
      ...shared,
    })
    return (who: string) => countShared(tries, who)
  }
  const byStrangers = limit('sign-in account', ACCOUNT)
  const fromKnownPlace = limit('sign-in known network', ACCOUNT_FROM_KNOWN_PLACE)
  const [totp, totpOfDay] = [limit('totp', TOTP), limit('totp of a day', TOTP_A_DAY)]
  return {
    address: limit('sign-in address', ADDRESS),
    addressOfSecondFactor: limit('second factor address', ADDRESS),
    account: (email, knownPlace) =>
      knownPlace === null ? byStrangers(hashed(email)) : fromKnownPlace(`${hashed(email)} ${knownPlace}`),
    async totp(userId) {
      await totp(userId)
      await totpOfDay(userId)
    },
    recoveryCode: limit('recovery code', RECOVERY_CODE),
    passwordAgain: limit('password again', PASSWORD_AGAIN),
  }
}

/** The database keeps hashes only: an address may belong to somebody who is no user. */
function hashed(email: string): string {
  return createHash('sha256').update(email).digest('hex').slice(0, 32)
}
