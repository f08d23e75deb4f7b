import * as v from 'valibot'
import { AdyenAccount } from '../domains/gateways/adyen/adyen-account.ts'
import type { KeptCredentials } from '../domains/merchants/gateways.ts'
import { MissingKey } from '../platform/vault/key-stores/master-keys.ts'
import type { CommandContext } from './command.ts'

/** What the database has in place of an account that is taken from running services: they find no account in this form, and it can be given back. */
const TakenAccount = v.object({ taken: AdyenAccount })

interface OfMerchant {
  merchantId: string
  gatewayId: string
}
interface KeptAccount {
  account: AdyenAccount
  /** An earlier command has taken it from running services, and was interrupted or still waits. */
  isTaken: boolean
}

/** The account that was entered for a gateway; null where its master key is not there. */
export async function keptAccountOf({ open }: KeptCredentials): Promise<KeptAccount | null> {
  const kept = await open().catch((error: unknown) => {
    if (error instanceof MissingKey) return null
    throw error
  })
  const taken = v.safeParse(TakenAccount, kept)
  if (taken.success) return { account: taken.output.taken, isTaken: true }
  const account = v.safeParse(AdyenAccount, kept)
  return account.success ? { account: account.output, isTaken: false } : null
}

/** Longer than running services cache an account. */
const FORGOTTEN_MS = 6000

/**
 * Takes a gateway's account from running services, and makes sure that no payment was begun with it and none will be. Services cache the
 * account for some seconds, so payments are looked for before, and again after that time. Where there is one, the services get the account
 * back, and the answer is `used`; else it is what the database has in place of the account.
 *
 * Each step changes the credentials only where they are still as the step before has left them; `asRead`: as they were read at first. So of
 * two commands at once the one that takes the account last goes on, after a whole wait of its own, and the other one is `overtaken`.
 */
export async function leaveAccount(
  { merchants, output, sleep }: Pick<CommandContext, 'merchants' | 'output' | 'sleep'>,
  { merchantId, gatewayId }: OfMerchant,
  { account, isTaken }: KeptAccount,
  asRead: Buffer,
): Promise<{ taken: Buffer } | 'used' | 'overtaken'> {
  const isUsed = () => merchants.hasPayment(merchantId, gatewayId)
  const change = (was: Buffer, next: unknown) => merchants.changeCredentials(merchantId, gatewayId, was, next)
  if (await isUsed()) {
    if (isTaken) await change(asRead, account)
    return 'used'
  }
  output.note(`Gateway ${gatewayId} takes no payment for 6 seconds. If this is interrupted, run it again.`)
  const taken = await change(asRead, { taken: account })
  if (taken === null) return 'overtaken'
  await sleep(FORGOTTEN_MS)
  if (!(await isUsed())) return { taken }
  return (await change(taken, account)) === null ? 'overtaken' : 'used'
}

/** Tells an operator that another command changed the gateway while this one was at work. */
export function overtakenMessage(gatewayId: string): string {
  return `Another command has changed gateway ${gatewayId} meanwhile, and this one left it so. See svc gateways list, and run this again if it is still wanted.`
}
