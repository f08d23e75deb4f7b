import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { createSetClock } from '../../../testing/set-clock.ts'
import type { SetClock } from '../../../testing/set-clock.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { sandboxOn } from '../../payment-network/sandbox/testing/sandbox-network-bed.ts'
import { agreementCalls, agreementOf } from '../testing/agreement-calls.ts'
import type { AgreementCalls } from '../testing/agreement-calls.ts'

const NOW = Date.parse('2027-06-10T02:00:00Z')
/** Shorter than an access token is good. */
const ANSWER_MS = 600_000

let database: Database
let service: TestService
let calls: AgreementCalls
let clock: SetClock
let sandbox: ReturnType<typeof sandboxOn>
/** The network's notices do not arrive. */
let isDeaf: boolean
/** The network takes no instruction. */
let isDumb: boolean

beforeEach(async () => {
  ;[isDeaf, isDumb] = [false, false]
  clock = createSetClock(NOW)
  database = await createMigratedDatabase()
  sandbox = sandboxOn(database, clock.timeOfDay.epochMs)
  const { network } = sandbox
  service = await createTestService({
    database,
    timeOfDay: clock.timeOfDay,
    network: {
      ...network,
      notices: (...asked) => (isDeaf ? Promise.resolve([]) : network.notices(...asked)),
      instruct: (...asked) =>
        isDumb ? Promise.resolve({ kind: 'unreachable' }) : network.instruct(...asked),
    },
  })
  calls = await agreementCalls(service)
})
afterEach(async () => {
  await service.close()
  await database.close()
})

/** An active agreement on 10.00, with an amendment to 20.00 that the debtor is asked for for ten minutes. */
async function asked(): Promise<string> {
  const { _id: id } = await calls.createActive()
  await amend(id, ANSWER_MS)
  await calls.exchange()
  return id
}

const amend = (id: string, answerMs: number) =>
  calls.amend(id, {
    payment_terms: { amount_type: 'fixed', amount: '20.00' },
    response_required_by: new Date(NOW + answerMs).toISOString(),
  })

const acceptAtBank = async (id: string) => (await sandbox.payer.answer(id, 'accept_amendment'))?.refusal

/** The amount by the service and by the bank, and what the service waits for. */
async function termsOf(id: string) {
  const agreement = agreementOf(await calls.get(id))
  const mandate = await sandbox.payer.mandateOf(id)
  return {
    service: agreement.payment_terms.amount,
    bank: mandate?.offer.terms.amount,
    isPending: agreement.pending_amendment !== null,
    last: agreement.history?.at(-1)?.type,
  }
}

it('an amendment that the bank has accepted in the last moment takes effect, though the service hears of it later', async () => {
  const id = await asked()
  clock.pass(ANSWER_MS - 1)
  isDeaf = true
  expect(await acceptAtBank(id)).toBeNull()
  clock.pass(1)
  await service.runJob('end agreements')
  await service.runJob('send instructions')
  expect(await termsOf(id)).toMatchObject({ service: 10, bank: 20, isPending: true })
  isDeaf = false
  await service.runJob('receive notices')
  expect(await termsOf(id)).toEqual({ service: 20, bank: 20, isPending: false, last: 'amended' })
})

it('an amendment that the bank has taken back has lapsed, and cannot be accepted any more', async () => {
  const id = await asked()
  clock.pass(ANSWER_MS)
  await service.runJob('end agreements')
  await service.runJob('send instructions')
  expect(await acceptAtBank(id)).not.toBeNull()
  await service.runJob('receive notices')
  expect(await termsOf(id)).toEqual({ service: 10, bank: 10, isPending: false, last: 'amendment_lapsed' })
})

it('an amendment is pending until the bank can be asked, which is told once', async () => {
  const id = await asked()
  isDumb = true
  clock.pass(ANSWER_MS)
  for (let run = 0; run < 3; run += 1) {
    await service.runJob('end agreements')
    await service.runJob('send instructions')
  }
  expect(await termsOf(id)).toMatchObject({ isPending: true, last: 'amendment_requested' })
  isDumb = false
  clock.pass(60_000)
  await service.runJob('send instructions')
  expect(await termsOf(id)).toMatchObject({ isPending: false, last: 'amendment_lapsed' })
  expect(service.logged()).not.toContain('refuses an instruction')
})

it('an amendment whose time is over before the bank is told of it is taken back after that', async () => {
  const ids = []
  for (let made = 0; made < 8; made += 1) ids.push((await calls.createActive())._id)
  for (const id of ids) await amend(id, 1)
  clock.pass(1)
  await service.runJob('end agreements')
  for (let told = 0; told < 2; told += 1) await service.runJob('send instructions')
  for (const id of ids) {
    expect(await termsOf(id)).toEqual({ service: 10, bank: 10, isPending: false, last: 'amendment_lapsed' })
    expect((await sandbox.payer.mandateOf(id))?.pendingAmendment).toBeNull()
  }
})
