import { monotonicClock } from '../../../platform/clocks.ts'
import { startDatabaseClock } from '../../../platform/database/database-clock.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import type { DebtorAnswer } from '../../payment-network/payment-network.ts'
import { agreementCalls, agreementOf } from './agreement-calls.ts'
import type { AgreementCalls } from './agreement-calls.ts'
import { createNetworkDouble } from './network-double.ts'
import type { NetworkDouble } from './network-double.ts'

/** A service on a double of the network, with a database and a clock of its own. */
export interface NetworkService {
  service: TestService
  double: NetworkDouble
  /** Under an access token of the time at which the clock was moved last. */
  calls: AgreementCalls
  /** Moves the service's clock on, or back. */
  goForward: (ms: number) => Promise<void>
  /** A debtor acts now; its bank reports it, and the service hears of it. */
  hear: (agreementId: string, answer: DebtorAnswer, noticeId?: string) => Promise<void>
  /** An agreement that was sent to the network; its debtor has not answered. */
  makeCreated: (change?: object) => Promise<string>
  /** An agreement that its debtor has accepted. */
  makeActive: (change?: object) => Promise<string>
  statusOf: (agreementId: string) => Promise<string>
  /** The types of its changes, in their order. */
  historyOf: (agreementId: string) => Promise<string[] | undefined>
  /** What the network was told, in its order. */
  toldKinds: () => string[]
  close: () => Promise<void>
}

/** `epochMs`: what its clock shows in place of the time. */
export async function createNetworkService(epochMs?: () => number): Promise<NetworkService> {
  let aheadMs = 0
  const double = createNetworkDouble()
  const database = await createMigratedDatabase()
  const clock = await startDatabaseClock(database, monotonicClock)
  const timeOfDay = { ...clock, epochMs: () => (epochMs ?? clock.epochMs)() + aheadMs }
  const service = await createTestService({ database, network: double.network, timeOfDay })
  const calls = await agreementCalls(service)
  const amendmentOf = (agreementId: string) => {
    const asked = double.told.findLast((one) => one.kind === 'amend' && one.agreementId === agreementId)
    return asked?.kind === 'amend' ? asked.amendmentId : null
  }
  let heard = 0
  const hear: NetworkService['hear'] = async (agreementId, answer, id = `notice-${String((heard += 1))}`) => {
    const at = new Date(timeOfDay.epochMs())
    double.notices.push({ id, agreementId, answer, amendmentId: amendmentOf(agreementId), at })
    await service.runJob('receive notices')
  }
  const makeCreated = async (change: object = {}) => {
    const { _id: id } = agreementOf(await calls.create(change))
    await service.runJob('send instructions')
    return id
  }
  return {
    service,
    double,
    calls,
    async goForward(ms) {
      aheadMs += ms
      Object.assign(calls, await agreementCalls(service))
    },
    hear,
    makeCreated,
    async makeActive(change) {
      const id = await makeCreated(change)
      await hear(id, 'accept')
      return id
    },
    statusOf: async (id) => agreementOf(await calls.get(id)).status,
    historyOf: async (id) => agreementOf(await calls.get(id)).history?.map(({ type }) => type),
    toldKinds: () => double.told.map(({ kind }) => kind),
    async close() {
      await service.close()
      await database.close()
    },
  }
}
