import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { KeptCredentials } from '../../domains/merchants/merchant-gateways.ts'
import { MissingKey } from '../../platform/vault/key-stores/master-keys.ts'
import type { CommandContext } from '../command.ts'

/** As an account is kept while it is taken from running services, which find none in this form: with its API key, so that it can be given back. */
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
 * Takes a gateway's account from running services and answers, where none of them has begun a payment with it nor will, with what is kept
 * in its place. One that remembers it does so for some seconds: payments are looked for again once it has forgotten. Where there is one,
 * they have the account again.
 *
 * Each step changes only what the step before has left. So of two commands at once the one that takes the account last goes on, after a
 * whole wait of its own, and the other one is `overtaken`.
 */
export async function leaveAccount(
  { merchants, say, sleep }: Pick<CommandContext, 'merchants' | 'say' | 'sleep'>,
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
  say(`Gateway ${gatewayId} takes no payment for 6 seconds. If this is interrupted, run it again.`)
  const taken = await change(asRead, { taken: account })
  if (taken === null) return 'overtaken'
  await sleep(FORGOTTEN_MS)
  if (!(await isUsed())) return { taken }
  return (await change(taken, account)) === null ? 'overtaken' : 'used'
}

/** What an operator is told whose command another one has overtaken. */
export function wordsOfOvertaken(gatewayId: string): string {
  return `Another command has changed gateway ${gatewayId} meanwhile, and this one left it so. See list-gateways, and run this again if it is still wanted.`
}
