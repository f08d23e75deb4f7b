import { describe, expect, it } from 'vitest'
import { scenarioOf } from './payer-scenarios.ts'

const scenarios = [
  ['approve', { found: 'found', answer: 'accept', pauses: false, payments: 'settle' }],
  ['decline', { found: 'found', answer: 'decline', pauses: false, payments: 'settle' }],
  ['silent', { found: 'found', answer: null, pauses: false, payments: 'settle' }],
  ['unknown', { found: 'not_found', answer: null, pauses: false, payments: 'settle' }],
  ['insufficient', { found: 'found', answer: 'accept', pauses: false, payments: 'lack_funds' }],
  ['investigate', { found: 'found', answer: 'accept', pauses: false, payments: 'investigate' }],
  ['pause', { found: 'found', answer: 'accept', pauses: true, payments: 'settle' }],
  ['unreachable', { found: 'unreachable', answer: null, pauses: false, payments: 'settle' }],
  ['late', { found: 'found', answer: 'accept', pauses: false, payments: 'lose_answer' }],
] as const
const waits = { found: 'found', answer: null, pauses: false, payments: 'settle' }
const byNumber = (account_number: string, bsb = '802985') => scenarioOf({ account: { bsb, account_number } })

describe('a debtor of the sandbox', () => {
  it.each(scenarios)('%s@sandbox.example: %o', (name, scenario) => {
    for (const value of [`${name}@sandbox.example`, `${name.toUpperCase()}@Sandbox.Example`]) {
      expect(scenarioOf({ payId: { type: 'EMAIL', value } })).toEqual(scenario)
    }
  })

  it.each(
    scenarios.slice(0, 7).map(([name, scenario], index) => [`10000000${index + 1}`, name, scenario] as const),
  )('802-985 %s behaves as %s@', (number, _, scenario) => {
    expect(byNumber(number)).toEqual(scenario)
  })

  it('waits for its payer where the tables do not name it', () => {
    for (const number of ['100000000', '100000008', '1', 'toString']) expect(byNumber(number)).toEqual(waits)
    expect(byNumber('100000002', '802986')).toEqual(waits)
    for (const value of ['decline@example.com', 'constructor', 'decline@sandbox.example.com']) {
      expect(scenarioOf({ payId: { type: 'EMAIL', value } })).toEqual(waits)
    }
    expect(scenarioOf({ payId: { type: 'ORGANISATION', value: 'decline@sandbox.example' } })).toEqual(waits)
  })
})
