import { countOf, isLastOn, refusalOf } from './model-payment.ts'
import { isOver } from './model-bank.ts'
import { ModelAgreement } from './model-agreement.ts'
import { jobs } from './model-jobs.ts'
import { areTermsRight, fitType, standTogether } from './model-terms.ts'
import type { AgreementType, ModelTerms } from './model-terms.ts'
import type { JobName, Operation, WishedAmendment, WishedTerms } from './operation.ts'
import { DAY_MS, dayAt } from './sydney-calendar.ts'
import type { Day } from './sydney-calendar.ts'

/** The status of an answer, and the code of its error; null on success. */
export type Answered = readonly [status: number, code: string | null]

type Of<Doing extends Operation['do']> = Extract<Operation, { do: Doing }>

const NOT_VALID: Answered = [400, 'validation_error']
const NOT_FOUND: Answered = [404, 'not_found']
const STALE: Answered = [412, 'precondition_failed']
const UNFULFILLED: Answered = [422, 'unfulfilled_condition']
const OUTSIDE: Answered = [422, 'outside_terms']
const DONE: Answered = [200, null]
const LONGEST_ANSWER_MS = 5 * DAY_MS

/** A reference model of contract §6: short, without a database, other processes, or a date library. */
export class ReferenceModel {
  readonly agreements: ModelAgreement[] = []
  now: number
  #amendments = 0

  constructor(now: number) {
    this.now = now
  }

  create(overrides: Of<'create'>): Answered {
    const today = dayAt(this.now)
    const start = today + (overrides.startIn ?? 0)
    const end = overrides.endIn === null ? null : today + overrides.endIn
    const terms = toTerms(overrides.terms, start, end ?? today)
    const { debtor, type, max } = overrides
    if (!standTogether(terms) || !areOfType({ terms, end, max }, type)) return NOT_VALID
    if (start < today || !areTermsRight({ start, end, terms }) || !isAskable(overrides.answerIn))
      return OUTSIDE
    if (debtor === 'unknown') return [422, 'debtor_not_found']
    if (debtor === 'unreachable') return [503, 'network_unavailable']
    const requiredBy = this.now + (overrides.answerIn ?? LONGEST_ANSWER_MS)
    this.agreements.push(new ModelAgreement({ start, end, terms, type, max, debtor, requiredBy }, this.now))
    return [201, null]
  }

  changeStatus({ agreement: index, action, isReasoned, isStale }: Of<'change status'>): Answered {
    if (action !== 'release' && !isReasoned) return NOT_VALID
    const agreement = this.agreements[index]
    if (agreement === undefined) return NOT_FOUND
    if (isStale && agreement.changes > 0) return STALE
    return agreement.move(action, 'creditor', this.now) ? DONE : UNFULFILLED
  }

  describe({ agreement: index, isStale }: Of<'describe'>): Answered {
    const agreement = this.agreements[index]
    if (agreement === undefined) return NOT_FOUND
    if (isStale && agreement.changes > 0) return STALE
    if (isOver(agreement.status)) return UNFULFILLED
    agreement.version += 1
    agreement.note('amended', 'creditor', this.now)
    return DONE
  }

  amend({ agreement: index, overrides, isStale }: Of<'amend'>): Answered {
    const agreement = this.agreements[index]
    const today = dayAt(this.now)
    const asked = toAsked(overrides, agreement?.end ?? null, today)
    if (asked.terms !== null && !standTogether(asked.terms)) return NOT_VALID
    if (agreement === undefined) return NOT_FOUND
    if (isStale && agreement.changes > 0) return STALE
    const refusal = amendmentRefusal(agreement, asked, today)
    if (refusal !== null) return refusal
    if (!isAskable(overrides.answerIn)) return OUTSIDE
    this.#amendments += 1
    const requiredBy = this.now + (overrides.answerIn ?? LONGEST_ANSWER_MS)
    agreement.askToAmend({ ...asked, amendment: this.#amendments, requiredBy, isWithdrawn: false }, this.now)
    return DONE
  }

  pay({ agreement: index, cents, isLast }: Of<'pay'>, reference: string): Answered {
    const agreement = this.agreements[index]
    if (cents === 0) return NOT_VALID
    if (agreement === undefined) return NOT_FOUND
    const day = dayAt(this.now)
    const code = refusalOf(agreement, { cents, day, isLast })
    if (code !== null) return [422, code]
    const overrides = {
      cents,
      isLast: isLast || isLastOn(agreement, day),
      dueOn: null,
      countsOn: day,
      reference,
    }
    agreement.add(overrides, this.now)
    return [201, null]
  }

  answer({ agreement: index, answer }: Of<'answer'>): Answered {
    const bank = this.agreements[index]?.bank
    if (bank?.isKnown !== true) return NOT_FOUND
    return bank.answer(answer, this.now) ? DONE : UNFULFILLED
  }

  run(job: JobName): void {
    for (const agreement of this.agreements) jobs[job](agreement, this.now)
  }
}

interface Asked {
  terms: ModelTerms | null
  end: Day | null
  max: number | null
}

/** `end`: that of the agreement so far. */
function toAsked(overrides: WishedAmendment, end: Day | null, today: Day): Asked {
  const wishedEnd = overrides.endIn === null ? null : today + overrides.endIn
  const terms = overrides.terms === null ? null : toTerms(overrides.terms, today, wishedEnd ?? end ?? today)
  return { terms, end: wishedEnd, max: overrides.max }
}

function amendmentRefusal(
  agreement: ModelAgreement,
  { terms, end, max }: Asked,
  today: Day,
): Answered | null {
  if (agreement.status !== 'active') return UNFULFILLED
  if (agreement.pending !== null) return [409, 'amendment_pending']
  const after = { start: agreement.start, end: end ?? agreement.end, terms: terms ?? agreement.terms }
  if (!areOfType({ ...after, max }, agreement.type)) return NOT_VALID
  if ((end !== null && end < today) || !areTermsRight(after)) return OUTSIDE
  return max !== null && countOf(agreement) > max ? OUTSIDE : null
}

/** Whether an agreement of this type can have these; a last payment needs an end. */
function areOfType({ terms, end, max }: Asked & { terms: ModelTerms }, type: AgreementType): boolean {
  if (!fitType(terms, type) || (max !== null && type !== 'adhoc')) return false
  return terms.last === null || end !== null
}

/** Whether the debtor can be asked for an answer within this time (ms). */
function isAskable(answerIn: number | null): boolean {
  return answerIn === null || (answerIn > 0 && answerIn <= LONGEST_ANSWER_MS)
}

/** A first payment is counted from the start, a last one from the end. */
function toTerms(overrides: WishedTerms, start: Day, end: Day): ModelTerms {
  const { first, last } = overrides
  return {
    ...overrides,
    first: first === null ? null : { date: start + first.in, cents: first.cents },
    last: last === null ? null : { date: end - last.before, cents: last.cents },
  }
}
