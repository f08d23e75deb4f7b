import { expect, it } from 'vitest'
import { senderAt } from '../../../platform/http/callers/sender.ts'
import type { SignInFault } from './failed-sign-in.ts'
import { createCheckPassword } from './check-password.ts'

const { address, caller: network } = senderAt('203.0.113.7')
const caller = { address, network, userAgent: '', device: null }
const account = {
  id: '1'.repeat(24),
  email: 'ada@acme.example',
  name: 'Ada',
  timeZone: 'UTC',
  passwordHash: 'hash of Ada',
  merchantId: null,
  hasTotp: false,
  passkeys: 0,
  recoveryCodesLeft: 0,
  knownPlace: null,
}

/** What is done, in which order, for an account that is there or not. */
async function stepsFor(found: typeof account | null) {
  const steps: string[] = []
  const note = (step: string) => {
    steps.push(step)
    return Promise.resolve()
  }
  const check = createCheckPassword({
    accounts: { ofEmail: () => note('find').then(() => found) },
    hashes: {
      matches: (kept) =>
        note(`compare ${kept === null ? 'with nobody’s' : 'with the kept'}`).then(() => false),
    },
    throttle: { account: () => note('count account') },
    recordFailure: (_account, _caller, reason: SignInFault) => note(`tell of ${reason}`),
  })
  const refusal = await check({ email: account.email, password: 'wrong' }, caller).catch(
    (error: unknown) => error,
  )
  return { steps, refusal }
}

it('does the same work, and says the same, for an address that nobody has', async () => {
  const [known, unknown] = [await stepsFor(account), await stepsFor(null)]
  expect(known.steps).toEqual(['find', 'count account', 'compare with the kept', 'tell of password'])
  expect(unknown.steps).toEqual(['find', 'count account', 'compare with nobody’s', 'tell of email'])
  expect(String(unknown.refusal)).toBe(String(known.refusal))
})
