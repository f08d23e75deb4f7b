import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { CommandContext } from '../command.ts'

/** The part of an account that says where its payments are. Without the API key, the gateway takes no payments. */
export const AccountPlace = v.omit(AdyenAccount, ['api_key'])
export type AccountPlace = v.InferOutput<typeof AccountPlace>

/** Longer than running services cache an account. */
const FORGOTTEN_MS = 6000

/**
 * Removes a gateway's API key, so that running services begin no more payments with this account. True when none was begun. Services
 * cache an account for some seconds, so payments are looked for again after that; if there is one, the account is restored.
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
