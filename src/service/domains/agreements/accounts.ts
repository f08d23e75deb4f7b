import * as v from 'valibot'
import { Creditor, Debtor } from '../../../contract/api/agreements/agreement-party.ts'
import type { Account, PayId } from '../../../contract/api/agreements/agreement-party.ts'
import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import type { SealedText, TextVault } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

const Parties = v.object({ debtor: Debtor, creditor: Creditor })
/** The payer and the payee, with their full account numbers. */
export type Parties = v.InferOutput<typeof Parties>

interface Place {
  id: string
  merchantId: string
}

/** Encrypts the account numbers; `place` binds them to their agreement. */
export function sealParties(
  vault: TextVault,
  { debtor, creditor }: Parties,
  place: Place,
): Promise<SealedText> {
  return vault.seal(JSON.stringify({ debtor, creditor }), placeOf(place))
}

export async function openParties(vault: TextVault, sealed: SealedText, place: Place): Promise<Parties> {
  return v.parse(Parties, JSON.parse(await vault.open(sealed, placeOf(place))))
}

function placeOf({ merchantId, id }: Place): string {
  return `${merchantId}/agreement/${id}`
}

/** The data keys of agreements' accounts. An agreement outlives a lost key: the network knows the accounts. */
export const agreementKeys: KeyTable = {
  of: 'accounts of agreements',
  table: 'agreements',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'accounts IS NOT NULL',
  erase: 'accounts = NULL, wrapped_data_key = NULL, master_key_id = NULL',
}

/** The debtor as answers show it. */
export function maskedDebtor({ name, type, account, pay_id: payId }: Debtor): AgreementResource['debtor'] {
  return {
    name,
    type,
    ...(account !== undefined && { account: maskedAccount(account) }),
    ...(payId !== undefined && { pay_id: { type: payId.type, value: maskedPayId(payId) } }),
  }
}

export function maskedCreditor({ name, account }: Creditor): AgreementResource['creditor'] {
  return { name, account: maskedAccount(account) }
}

const SHOWN = 3
const HIDDEN = '••••'

/** Shows the last three digits of a number; none of a number that has no more. */
function lastDigits(number: string): string {
  const hidden = number.length > SHOWN ? number.length - SHOWN : number.length
  return '•'.repeat(hidden) + number.slice(hidden)
}

function maskedAccount({ bsb, account_number: number }: Account): Account {
  return { bsb, account_number: lastDigits(number) }
}

function maskedPayId({ type, value }: PayId): string {
  if (type === 'EMAIL') return value.slice(0, 1) + HIDDEN + value.slice(value.lastIndexOf('@'))
  if (type === 'PHONE') return value.slice(0, value.indexOf('-') + 1) + HIDDEN + value.slice(-SHOWN)
  return type === 'ABN' ? lastDigits(value) : Array.from(value).slice(0, 1).join('') + HIDDEN
}
