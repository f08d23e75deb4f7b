import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { CommandContext } from '../command.ts'

/** Where an account's payments are. Kept alone, without its API key, it takes none. */
export const AccountPlace = v.omit(AdyenAccount, ['api_key'])
export type AccountPlace = v.InferOutput<typeof AccountPlace>

/** Longer than running services remember an account. */
const FORGOTTEN_MS = 6000

/**
 * Takes a gateway's account, which is at this place, from running services, and answers with whether none of them has begun a payment
 * with it, nor will. One that remembers it does so for some seconds: payments are looked for again once it has forgotten. Where there is
 * one, the account is as it was.
 */
export async function leaveAccount(
  { merchants, sleep }: Pick<CommandContext, 'merchants' | 'sleep'>,
  { merchantId, gatewayId }: { merchantId: string; gatewayId: string },
  account: { kept: unknown; place: AccountPlace },
): Promise<boolean> {
  if (await merchants.hasPayment(merchantId, gatewayId)) return false
  await merchants.changeCredentials(merchantId, gatewayId, account.place)
  await sleep(FORGOTTEN_MS)
  if (!(await merchants.hasPayment(merchantId, gatewayId))) return true
  await merchants.changeCredentials(merchantId, gatewayId, account.kept)
  return false
}
