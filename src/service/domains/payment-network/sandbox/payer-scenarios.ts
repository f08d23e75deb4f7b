import type { DebtorAddress } from '../payment-network.ts'

/** How a payer of the sandbox behaves, as a test wants it. */
export interface PayerScenario {
  found: 'found' | 'not_found' | 'unreachable'
  /** What it answers by itself; null leaves the answer to the payer's bank page. */
  answer: 'accept' | 'decline' | null
  /** Suspends a second after it has accepted. */
  pauses: boolean
  /** The outcome of each payment. `lose_answer`: it settles, and the answer is lost. */
  payments: 'settle' | 'lack_funds' | 'investigate' | 'lose_answer'
}

/** The ordinary scenario: the payer answers on its page, payments settle. */
const WAITS: PayerScenario = { found: 'found', answer: null, pauses: false, payments: 'settle' }
const ACCEPTS: PayerScenario = { ...WAITS, answer: 'accept' }
const DECLINES: PayerScenario = { ...WAITS, answer: 'decline' }
const UNKNOWN: PayerScenario = { ...WAITS, found: 'not_found' }
const LACKS_FUNDS: PayerScenario = { ...ACCEPTS, payments: 'lack_funds' }
const INVESTIGATES: PayerScenario = { ...ACCEPTS, payments: 'investigate' }
const PAUSES: PayerScenario = { ...ACCEPTS, pauses: true }

/** The PayIDs of type EMAIL that choose a scenario (contract §6.8). */
const BY_EMAIL: ReadonlyMap<string, PayerScenario> = new Map([
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

/** The account numbers that choose a scenario, at this BSB alone (contract §6.8). */
const TEST_BSB = '802985'
const BY_ACCOUNT_NUMBER: ReadonlyMap<string, PayerScenario> = new Map([
  ['100000001', ACCEPTS],
  ['100000002', DECLINES],
  ['100000003', WAITS],
  ['100000004', UNKNOWN],
  ['100000005', LACKS_FUNDS],
  ['100000006', INVESTIGATES],
  ['100000007', PAUSES],
])

/** The scenario of a debtor; one that is not in the tables waits for the payer. */
export function scenarioOf(debtor: DebtorAddress): PayerScenario {
  return scenarioInTables(debtor) ?? WAITS
}

function scenarioInTables(debtor: DebtorAddress): PayerScenario | undefined {
  if ('payId' in debtor) {
    return debtor.payId.type === 'EMAIL' ? BY_EMAIL.get(debtor.payId.value.toLowerCase()) : undefined
  }
  const { bsb, account_number: number } = debtor.account
  return bsb === TEST_BSB ? BY_ACCOUNT_NUMBER.get(number) : undefined
}
