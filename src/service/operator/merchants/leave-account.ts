import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { CommandContext } from '../command.ts'

/** As an account is kept while it is taken from running services, which find none in this form: with its API key, so that it can be given back. */
const TakenAccount = v.object({ taken: AdyenAccount })

interface OfMerchant {
  merchantId: string
  gatewayId: string
}
interface KeptAccount {
  account: AdyenAccount
  /** An earlier command has taken it from running services and was interrupted. */
  isTaken: boolean
}

/** What was entered for a gateway; null where it needs nothing, or its master key is lost. */
export async function keptAccountOf(
  { merchants }: Pick<CommandContext, 'merchants'>,
  { merchantId, gatewayId }: OfMerchant,
): Promise<KeptAccount | null> {
  const kept = await merchants.credentialsOf(merchantId, gatewayId).catch(() => null)
  const taken = v.safeParse(TakenAccount, kept)
  if (taken.success) return { account: taken.output.taken, isTaken: true }
  const account = v.safeParse(AdyenAccount, kept)
  return account.success ? { account: account.output, isTaken: false } : null
}

/** Longer than running services cache an account. */
const FORGOTTEN_MS = 6000

/**
 * Takes a gateway's account from running services, and answers with whether none of them has begun a payment with it, nor will. One that
 * remembers it does so for some seconds: payments are looked for again once it has forgotten. Where there is one, they have the account
 * again.
 */
export async function leaveAccount(
  { merchants, say, sleep }: Pick<CommandContext, 'merchants' | 'say' | 'sleep'>,
  { merchantId, gatewayId }: OfMerchant,
  { account, isTaken }: KeptAccount,
): Promise<boolean> {
  const isUsed = () => merchants.hasPayment(merchantId, gatewayId)
  const giveBack = () => merchants.changeCredentials(merchantId, gatewayId, account)
  if (await isUsed()) {
    if (isTaken) await giveBack()
    return false
  }
  say(`Gateway ${gatewayId} takes no payment for 6 seconds. If this is interrupted, run it again.`)
  await merchants.changeCredentials(merchantId, gatewayId, { taken: account })
  await sleep(FORGOTTEN_MS)
  if (!(await isUsed())) return true
  await giveBack()
  return false
}
