import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { findAgreement } from './agreement-store.ts'
import { agreementMoves } from './agreement.ts'
import type { AgreementState } from './agreement.ts'
import { dayAt } from './calendar.ts'
import type { AgreementsDeps } from './deps.ts'
import { endByTime } from './jobs.ts'
import { agreementOf } from './testing/agreement-calls.ts'
import { createNetworkDouble } from './testing/network-double.ts'
import { createNetworkService } from './testing/network-service.ts'
import type { NetworkService } from './testing/network-service.ts'
import { storeAgreement, testDeps } from './testing/test-deps.ts'

const DAY_MS = 86_400_000
const newTerms = { payment_terms: { amount_type: 'fixed', amount: '12.50' } }

let bed: NetworkService
let service: NetworkService['service']
let double: NetworkService['double']
let calls: NetworkService['calls']
beforeEach(async () => {
  bed = await createNetworkService()
  ;({ service, double, calls } = bed)
})
afterEach(() => bed.close())

describe('the passing of time', () => {
  it('lets an agreement lapse without an answer after 5 days', async () => {
    const id = await bed.makeCreated()
    await service.runJob('end agreements')
    expect(await bed.statusOf(id)).toBe('created')
    await bed.goForward(5 * DAY_MS + 1000)
    await service.runJob('end agreements')
    expect(await bed.statusOf(id)).toBe('cancelled')
    expect((await bed.historyOf(id))?.at(-1)).toBe('lapsed')
  })

  it('spares what was answered in time, though it is heard late', async () => {
    const [id, amendedId] = [await bed.makeCreated(), await bed.makeCreated()]
    await bed.hear(amendedId, 'accept')
    await calls.amend(amendedId, newTerms)
    await service.runJob('send instructions')
    const at = new Date()
    double.notices.push({ id: 'one', agreementId: id, answer: 'accept', amendmentId: null, at })
    const asked = double.told.at(-1)
    const amendmentId = asked?.kind === 'amend' ? asked.amendmentId : null
    double.notices.push({ id: 'two', agreementId: amendedId, answer: 'accept_amendment', amendmentId, at })
    await bed.goForward(6 * DAY_MS)
    await service.runJob('end agreements')
    expect(await bed.historyOf(id)).toEqual(['created', 'accepted'])
    expect((await bed.historyOf(amendedId))?.at(-1)).toBe('amended')
  })

  it('lets an agreement expire after its last day, and tells the network', async () => {
    const today = dayAt(Date.now())
    const id = await bed.makeCreated({ end_date: today })
    await bed.hear(id, 'accept')
    await service.runJob('end agreements')
    expect(await bed.statusOf(id)).toBe('active')
    await bed.goForward(DAY_MS)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect(await bed.statusOf(id)).toBe('expired')
    expect(bed.toldKinds().at(-1)).toBe('expire')
  })

  it('lets an amendment without an answer lapse, and withdraws it', async () => {
    const id = await bed.makeCreated()
    await bed.hear(id, 'accept')
    await calls.amend(id, newTerms)
    await service.runJob('send instructions')
    await bed.goForward(5 * DAY_MS + 1000)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect((await bed.historyOf(id))?.at(-1)).toBe('amendment_lapsed')
    expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'active', pending_amendment: null })
    expect(bed.toldKinds().at(-1)).toBe('withdraw_amendment')
  })
})

describe('in the database', () => {
  const NOW = Date.parse('2026-12-01T00:00:00.000Z')

  let database: Database
  let deps: AgreementsDeps
  beforeAll(async () => {
    database = await createMigratedDatabase()
    deps = testDeps({ database, network: createNetworkDouble().network }, () => NOW)
  })
  afterAll(() => database.close())

  const STATES = [
    'created',
    'active',
    'suspended',
    'cancelled',
    'expired',
  ] as const satisfies AgreementState[]

  describe.each(STATES)('an agreement that is %s', (state) => {
    it.each(['lapse', 'expire'] as const)('is found to %s if the table allows it', async (action) => {
      const { id } = await storeAgreement(deps, {
        status: state,
        suspendedBy: state === 'suspended' ? 'creditor' : null,
        endDate: action === 'expire' ? '2026-11-30' : null,
        responseRequiredBy: new Date(action === 'lapse' ? NOW - 1 : NOW + 1),
      })
      await endByTime(deps, () => Promise.resolve(true))
      expect((await findAgreement(database, id))?.status).toBe(
        nextState(agreementMoves, state, action) ?? state,
      )
    })
  })
})
