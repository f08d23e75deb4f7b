import type { DebtorAddress } from '../payment-network.ts'

/** How a debtor of the sandbox behaves. */
export interface Course {
  found: 'found' | 'not_found' | 'unreachable'
  /** What it answers by itself to what it is asked; null leaves that to the payer's bank page. */
  answer: 'accept' | 'decline' | null
  /** Suspends a second after it has accepted. */
  pauses: boolean
  /** What becomes of each payment. `lose_answer`: it settles, and nobody is told until asked. */
  payments: 'settle' | 'lack_funds' | 'investigate' | 'lose_answer'
}

/** Nothing out of the ordinary: the payer answers, payments settle. */
const WAITS: Course = { found: 'found', answer: null, pauses: false, payments: 'settle' }
const ACCEPTS: Course = { ...WAITS, answer: 'accept' }
const DECLINES: Course = { ...WAITS, answer: 'decline' }
const UNKNOWN: Course = { ...WAITS, found: 'not_found' }
const LACKS_FUNDS: Course = { ...ACCEPTS, payments: 'lack_funds' }
const INVESTIGATES: Course = { ...ACCEPTS, payments: 'investigate' }
const PAUSES: Course = { ...ACCEPTS, pauses: true }

/** Contract §6.8: the PayIDs of type EMAIL that choose a course. */
const BY_EMAIL: ReadonlyMap<string, Course> = new Map([
  ['approve@sandbox.example', ACCEPTS],
  ['decline@sandbox.example', DECLINES],
  ['silent@sandbox.example', WAITS],
  ['unknown@sandbox.example', UNKNOWN],
  ['insufficient@sandbox.example', LACKS_FUNDS],
  ['investigate@sandbox.example', INVESTIGATES],
  ['pause@sandbox.example', PAUSES],
  ['unreachable@sandbox.example', { ...WAITS, found: 'unreachable' }],
  ['late@sandbox.example', { ...ACCEPTS, payments: 'lose_answer' }],
])

/** Contract §6.8: the account numbers that choose a course, at this BSB alone. */
const STEERED_BSB = '802985'
const BY_ACCOUNT_NUMBER: ReadonlyMap<string, Course> = new Map([
  ['100000001', ACCEPTS],
  ['100000002', DECLINES],
  ['100000003', WAITS],
  ['100000004', UNKNOWN],
  ['100000005', LACKS_FUNDS],
  ['100000006', INVESTIGATES],
  ['100000007', PAUSES],
])

/** The course of a debtor; one that is not in the tables waits for the payer. */
export function courseOf(debtor: DebtorAddress): Course {
  return courseInTables(debtor) ?? WAITS
}

function courseInTables(debtor: DebtorAddress): Course | undefined {
  if ('payId' in debtor) {
    return debtor.payId.type === 'EMAIL' ? BY_EMAIL.get(debtor.payId.value.toLowerCase()) : undefined
  }
  const { bsb, account_number: number } = debtor.account
  return bsb === STEERED_BSB ? BY_ACCOUNT_NUMBER.get(number) : undefined
}
