import type { Answer, TestService } from '../test-service.ts'
import { createTestService } from '../test-service.ts'
import { createSetClock } from '../set-clock.ts'
import { testStatement } from '../test-statement.ts'
import type { AgreementView } from './agreement-view.ts'
import { createMerchantCalls } from './merchant-calls.ts'
import type { MerchantCalls } from './merchant-calls.ts'
import type { JobName, Operation, Processes } from './operation.ts'
import { amendmentOf, creationOf, paymentOf } from './request-of.ts'
import { readView } from './real-view.ts'
import type { Answered, ReferenceModel } from './reference-model.ts'

type Of<Doing extends Operation['do']> = Extract<Operation, { do: Doing }>

/** Two processes of the real service on one database, at a time that a test sets. */
export interface RealSide {
  /** Forgets all agreements, and sets the time (ms since 1970). */
  begin: (now: number) => Promise<void>
  setTime: (now: number) => void
  /** The service's answers: several, sorted, where a request is sent to both processes at once. */
  create: (overrides: Of<'create'>) => Promise<Answered[]>
  changeStatus: (operation: Of<'change status'>) => Promise<Answered[]>
  describe: (operation: Of<'describe'>) => Promise<Answered[]>
  /** `model` knows the agreement's last day. */
  amend: (operation: Of<'amend'>, model: ReferenceModel) => Promise<Answered[]>
  pay: (operation: Of<'pay'>, reference: string) => Promise<Answered[]>
  answer: (operation: Of<'answer'>) => Promise<Answered[]>
  run: (job: JobName, processes: Processes) => Promise<void>
  view: (agreement: number) => Promise<AgreementView>
  close: () => Promise<void>
}

const forget = [
  'agreements',
  'agreement_changes',
  'agreement_payments',
  'network_instructions',
  'event_outbox',
  'sandbox_network.mandates',
  'sandbox_network.instructions',
  'sandbox_network.notices',
  'sandbox_network.payments',
].map((table) => testStatement(`model_forget_${table}`, `DELETE FROM ${table}`))
/** Those that wait for nothing else: the first of each agreement, unless it was put off. */
const countInstructions = testStatement<{ count: number }>(
  'model_count_instructions',
  `SELECT count(*)::int AS count FROM (
     SELECT DISTINCT ON (agreement_id) next_at FROM network_instructions ORDER BY agreement_id, revision, created_at, id
   ) first WHERE next_at <= $1::timestamptz`,
)
const NOBODYS_AGREEMENT = '6718f0a0c0ffee0000000001'

/** A time before every sequence's beginning, at which the service's keys are made. */
const FIRST_TIME = Date.parse('2027-01-01T00:00:00Z')

export async function openRealSide(): Promise<RealSide> {
  const { timeOfDay, setTime } = createSetClock(FIRST_TIME)
  const now = timeOfDay.epochMs
  const first = await createTestService({ timeOfDay })
  const second = await createTestService({ timeOfDay, database: first.database })
  const calls = await createMerchantCalls([first, second], now)
  const made: { id: string; tag: string }[] = []
  return {
    async begin(time) {
      setTime(time)
      made.length = 0
      for (const statement of forget) await first.database.run(statement, [])
    },
    setTime,
    async create(overrides) {
      const payload = creationOf(overrides, now())
      const checked = await calls.post('/agreements/validate', payload)
      const answer = await calls.post('/agreements', payload)
      const { id, tag } = { id: idOf(answer), tag: answer.headers.etag }
      if (id !== null) made.push({ id, tag: String(tag) })
      return [[checked.status === 200 ? 201 : checked.status, codeOf(checked)], answered(answer)]
    },
    ...changing(calls, (agreement) => made[agreement], now),
    run: (job, processes) => runJob(job, servicesOf(processes, first, second), now),
    view: (agreement) => readView(first.database, calls, made[agreement]?.id ?? NOBODYS_AGREEMENT),
    async close() {
      await second.close()
      await first.close()
    },
  }
}

type Made = (agreement: number) => { id: string; tag: string } | undefined

function changing(
  calls: MerchantCalls,
  made: Made,
  now: () => number,
): Pick<RealSide, 'changeStatus' | 'describe' | 'amend' | 'pay' | 'answer'> {
  const pathOf = (agreement: number) => `/agreements/${made(agreement)?.id ?? NOBODYS_AGREEMENT}`
  const patch = async (agreement: number, path: string, payload: object, isStale: boolean) => {
    const ifMatch = isStale ? made(agreement)?.tag : undefined
    return [answered(await calls.patch(`${pathOf(agreement)}${path}`, payload, ifMatch))]
  }
  return {
    changeStatus: ({ agreement, action, isReasoned, isStale }) =>
      patch(agreement, '/status', { action, ...(isReasoned && { reason_code: 'dispute' }) }, isStale),
    describe: ({ agreement, isStale }) => patch(agreement, '', { description: 'Another' }, isStale),
    amend: ({ agreement, overrides, isStale }, model) =>
      patch(agreement, '', amendmentOf(overrides, model.agreements[agreement]?.end ?? null, now()), isStale),
    async pay(operation, reference) {
      const path = `${pathOf(operation.agreement)}/payments`
      const answers = await calls.postBy(operation.processes, path, paymentOf(operation, reference))
      return answers.map(answered)
    },
    async answer({ agreement, answer }) {
      return [answered(await calls.post(`/sandbox/bank${pathOf(agreement)}/answers`, { answer }))]
    },
  }
}

const servicesOf = (processes: Processes, first: TestService, second: TestService): TestService[] =>
  processes === 'both' ? [first, second] : [processes === 'first' ? first : second]

/**
 * Repeats until the network has every instruction that waits for nothing: it gets only one of an agreement at a time. What debtors have answered is heard before
 * agreements are ended, and also where none is.
 */
async function runJob(job: JobName, services: readonly TestService[], now: () => number): Promise<void> {
  await Promise.all(services.map((service) => service.runJob(job)))
  if (job === 'end agreements') await runJob('receive notices', services, now)
  if (job !== 'send instructions') return
  const rows = await services[0]?.database.run(countInstructions, [new Date(now())])
  if ((rows?.[0]?.count ?? 0) > 0) await runJob(job, services, now)
}

const codeOf = ({ body }: Answer): string | null => body.error?.code ?? null
const answered = (answer: Answer): Answered => [answer.status, codeOf(answer)]

function idOf({ body }: Answer): string | null {
  const { data } = body.resource
  return typeof data === 'object' && data !== null && '_id' in data && typeof data._id === 'string'
    ? data._id
    : null
}
