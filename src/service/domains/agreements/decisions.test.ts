import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { findAgreement, historyOf } from './agreement-store.ts'
import { decideMove } from './agreement.ts'
import { recordDecisions } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import { createNetworkDouble } from './testing/network-double.ts'
import { storeAgreement, testDeps } from './testing/test-deps.ts'

const NOW = Date.parse('2026-12-01T00:00:00.000Z')
const TODAY = '2026-12-01'

let database: Database
let deps: AgreementsDeps
beforeAll(async () => {
  database = await createMigratedDatabase()
  deps = testDeps({ database, network: createNetworkDouble().network }, () => NOW)
})
afterAll(() => database.close())

describe('a change', () => {
  it('of an agreement that has changed since it was read is not written', async () => {
    const agreement = await storeAgreement(deps)
    const decisions = decideMove(agreement, { action: 'suspend', by: 'creditor', day: TODAY })
    expect((await recordDecisions(deps, agreement, decisions))?.revision).toBe(1)
    expect(await recordDecisions(deps, agreement, decisions)).toBeNull()
    expect((await historyOf(database, agreement.id)).map(({ type }) => type)).toEqual([
      'created',
      'suspended',
    ])
  })

  it('for a notice is written once', async () => {
    const first = await storeAgreement(deps)
    const suspended = await recordDecisions(
      deps,
      first,
      decideMove(first, { action: 'suspend', by: 'debtor', day: TODAY }),
      'n1',
    )
    if (suspended === null) throw new Error('it was not suspended')
    const cancelled = decideMove(suspended, { action: 'cancel', by: 'debtor', day: TODAY })
    expect(await recordDecisions(deps, suspended, cancelled, 'n1')).toBeNull()
    expect((await findAgreement(database, first.id))?.status).toBe('suspended')
  })
})
