/** What the sandbox does with a request, chosen by its amount or card before anything is kept. */
export interface Scenario {
  /** Response code of ISO 8583 field 39; `00` approves. */
  code: string
  /** Where the connection breaks: before anything is sent, before it is carried out, after it is carried out. */
  breaks: 'never' | 'before_sending' | 'before_applying' | 'after_applying'
  /** How long the sandbox waits before it answers. */
  delayMs: number
}

export const APPROVES: Scenario = { code: '00', breaks: 'never', delayMs: 0 }

/** From this amount up the cents choose the scenario (contract §4, sandbox gateway). */
const SCENARIOS_FROM_CENTS = 900_000
const SCENARIO_BY_CENTS: Readonly<Record<number, Scenario>> = {
  51: { ...APPROVES, code: '51' },
  54: { ...APPROVES, code: '54' },
  59: { ...APPROVES, code: '59' },
  68: { ...APPROVES, breaks: 'after_applying' },
  69: { ...APPROVES, breaks: 'before_applying' },
  91: { ...APPROVES, breaks: 'before_sending' },
  92: { ...APPROVES, delayMs: 3000 },
}

/** The scenario of an amount in cents. */
export function scenarioOf(amount: number): Scenario {
  if (amount < SCENARIOS_FROM_CENTS) return APPROVES
  return SCENARIO_BY_CENTS[amount % 100] ?? APPROVES
}

/** The scenario of an authorisation: a card that expires in 05/39 is declined with 05, do not honour. */
export function scenarioOfCard(amount: number, card: { expireMonth: number; expireYear: number }): Scenario {
  const isDeclined = card.expireMonth === 5 && card.expireYear === 2039
  return isDeclined ? { ...APPROVES, code: '05' } : scenarioOf(amount)
}
