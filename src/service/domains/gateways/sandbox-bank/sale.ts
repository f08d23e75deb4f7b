import type { Database, Queries } from '../../../platform/database/database.ts'
import type { AuthenticationNeeded, AuthenticationTold, AuthorisationRequest } from '../gateway.ts'
import { answerOf } from '../sandbox-answers.ts'
import type { KnownAnswer } from '../sandbox-answers.ts'
import { closeEntry, enterAuthorisation, entryOf } from '../sandbox-ledger.ts'
import type { Entry } from '../sandbox-ledger.ts'
import {
  beginAtBank,
  challengeStep,
  codeOf,
  firstStep,
  isMethodOver,
  isOfChallenge,
  noteMade,
  verdictOn,
} from './bank.ts'
import { planOf } from './bank-cards.ts'
import type { Plan } from './bank-cards.ts'
import { countFinish, end, findByAttempt } from './bank-store.ts'
import type { BankRow } from './bank-store.ts'

interface SaleDeps {
  database: Database
  holdSeconds: number
  /** The bank's origin; null: there is none, and it asks nobody. */
  bankUrl: string | null
}

/** The response codes of the bank's answers to a sale. */
const ASK_FIRST = '1A'
const LEFT = '81'

/** Enters a sale, once the bank has nothing to ask; else no money moves before `finishSale` does so. `code`: how it is answered then. */
export function sell(
  { database, holdSeconds, bankUrl }: SaleDeps,
  request: AuthorisationRequest,
  { code, reference }: { code: string; reference: string },
): Promise<KnownAnswer | AuthenticationNeeded> {
  const { attemptId, amount, currency, capture, authentication } = request
  const asked = bankUrl === null ? { ...authentication, browser: null } : authentication
  const plan: Plan = planOf(request.card.number, asked)
  const sale = { ...request, returnUrl: authentication.returnUrl, code, reference }
  return database.transaction(async (queries) => {
    if (plan.kind === 'nothing' || plan.kind === 'declines') {
      const answered = plan.kind === 'declines' ? ASK_FIRST : code
      const order = { attemptId, holdId: attemptId, amount, code: answered, reference }
      const entry = await enterAuthorisation(queries, order, { currency, seconds: holdSeconds, capture })
      return answerOf(entry, { holdSeconds })
    }
    const entry = await entryOf(queries, attemptId)
    if (entry !== null) return answerOf(entry, { holdSeconds, row: await findByAttempt(queries, attemptId) })
    const row =
      plan.kind === 'takes_note'
        ? await noteMade(queries, sale, plan.made)
        : await beginAtBank(queries, sale, plan)
    const step = bankUrl === null ? null : firstStep(row, bankUrl)
    return step === null ? settle(queries, row, holdSeconds) : asks(row, step)
  })
}

function asks(row: BankRow, step: AuthenticationNeeded['step']): AuthenticationNeeded {
  return { kind: 'authentication_needed', askedBy: row.asked_by, step, state: row.server_trans_id }
}

/** Counts a request that tells how an authentication has ended; true of the first. */
export async function countEnd(database: Database, attemptId: string): Promise<boolean> {
  return (await countFinish(database, attemptId))?.finishes === 1
}

/** Goes on with a sale by what the bank itself has decided; a step that comes again is answered as it was. */
export function finishSale(
  { database, holdSeconds }: SaleDeps,
  bankUrl: string,
  { attemptId, stepNumber, told }: { attemptId: string; stepNumber: number; told: AuthenticationTold },
): Promise<KnownAnswer | AuthenticationNeeded | { kind: 'waits' }> {
  return database.transaction(async (queries) => {
    const row = await findByAttempt(queries, attemptId)
    if (row === null) return { kind: 'not_received' }
    if (row.ended_at !== null) return settle(queries, row, holdSeconds)
    if (row.method !== 'none' && stepNumber === 0) {
      if (!isMethodOver(row, told)) return { kind: 'waits' }
      const looked = await verdictOn(queries, row)
      return looked.trans_status === null
        ? asks(row, challengeStep(row, bankUrl))
        : settle(queries, looked, holdSeconds)
    }
    return row.trans_status === null || !isOfChallenge(row, told)
      ? { kind: 'waits' }
      : settle(queries, row, holdSeconds)
  })
}

/** Ends a sale whose card holder did not finish, unless it has its answer. */
export function abandonSale({ database, holdSeconds }: SaleDeps, attemptId: string) {
  return database.transaction(async (queries) => {
    const row = await findByAttempt(queries, attemptId)
    if (row === null) return { kind: 'unknown' } as const
    return settle(queries, row, holdSeconds, LEFT)
  })
}

/** What became of a sale, capture, cancel or refund. What never came, and who waits for the card holder, ends here. */
export function closeSale({ database, holdSeconds }: SaleDeps, attemptId: string): Promise<KnownAnswer> {
  return database.transaction(async (queries) => {
    const row = await findByAttempt(queries, attemptId)
    if (row !== null) return settle(queries, row, holdSeconds, LEFT)
    return answerOf(await closeEntry(queries, attemptId), { holdSeconds })
  })
}

/** Enters the sale of an authentication, which ends it; one that is entered keeps its entry. */
async function settle(
  queries: Queries,
  row: BankRow,
  holdSeconds: number,
  code: string | null = null,
): Promise<Exclude<KnownAnswer, { kind: 'not_received' }>> {
  const ended = await end(queries, row.attempt_id)
  if (ended === null) throw new Error('an authentication has gone')
  const { attempt_id: attemptId, amount, currency, capture, reference } = ended
  const order = { attemptId, holdId: attemptId, amount, code: code ?? codeOf(ended), reference }
  const entry = await enterAuthorisation(queries, order, { currency, seconds: holdSeconds, capture })
  const answer = answerOf(receivedAt(entry, ended), { holdSeconds, row: ended })
  if (answer.kind === 'not_received') throw new Error('a sale that was entered is not there')
  return answer
}

/** A sale that was closed at the very moment in which its authentication began: nobody is asked any more. */
function receivedAt(entry: Entry, { attempt_id: id, reference }: BankRow): Entry {
  if (entry.result !== 'not_received') return entry
  return { ...entry, result: 'declined', hold_id: id, response_code: LEFT, reference }
}
