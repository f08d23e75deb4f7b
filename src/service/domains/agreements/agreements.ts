import type {
  AgreementRequest,
  AmendmentRequest,
} from '../../../contract/api/agreements/agreement-request.ts'
import type { Debtor } from '../../../contract/api/agreements/agreement-party.ts'
import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import type { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import type { Queries } from '../../platform/database/database.ts'
import { ServiceError, notFound } from '../../platform/errors.ts'
import { refuseIfChanged } from '../../platform/http/answers/entity-tag.ts'
import { sealParties } from './accounts.ts'
import { entityTagOf, toAgreementAfter } from './agreement-resource.ts'
import {
  addAgreement,
  findAgreement,
  findAgreementOf,
  findChange,
  historyOf,
  lockAgreement,
} from './agreement-store.ts'
import { decideStatus, toNewAgreement } from './agreement.ts'
import type { Agreement, Decision, NewAgreement, RecordedChange } from './agreement.ts'
import { decideAmendment } from './amendment.ts'
import { dayAt } from './calendar.ts'
import { recordLocked } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import { toMandate } from './instruction.ts'
import { countPayments } from './payment-store.ts'

/** Names the agreement to change, and by `If-Match` the version of it that was read. */
export interface AgreementToChange {
  merchantId: string
  id: string
  ifMatch: string | undefined
}

/** Makes an agreement and has its debtor asked. */
export async function createAgreement(
  deps: AgreementsDeps,
  merchantId: string,
  request: AgreementRequest,
): Promise<Agreement> {
  const { database, vault, createId, timeOfDay } = deps
  const { agreement } = await validateAgreement(deps, merchantId, request)
  const { type, purpose } = agreement
  const content = { kind: 'create', type, purpose, mandate: toMandate(agreement) } as const
  const change = {
    id: createId(),
    type: 'created',
    by: 'creditor',
    reason: null,
    facts: {},
    instruction: { id: createId(), content },
    noticeId: null,
    at: new Date(timeOfDay.epochMs()),
  } as const
  const accounts = await sealParties(vault, request, agreement)
  return addAgreement(database, agreement, accounts, change)
}

/** Checks a request as `createAgreement` does, and keeps nothing. `resolvedName`: the account holder's, by the network. */
export async function validateAgreement(
  { network, createId, timeOfDay }: AgreementsDeps,
  merchantId: string,
  request: AgreementRequest,
): Promise<{ agreement: NewAgreement; resolvedName: string | null }> {
  const agreement = toNewAgreement(request, { id: createId(), merchantId, nowMs: timeOfDay.epochMs() })
  return { agreement, resolvedName: await resolveDebtor(network, request.debtor) }
}

/** Finds a merchant's agreement with its history; throws `not_found`. */
export async function readAgreement(
  { database }: AgreementsDeps,
  merchantId: string,
  id: string,
): Promise<{ agreement: Agreement; history: RecordedChange[] }> {
  const agreement = await findAgreementOf(database, merchantId, id)
  if (agreement === null) throw notFound('agreement')
  return { agreement, history: await historyOf(database, id) }
}

export function amendAgreement(
  deps: AgreementsDeps,
  which: AgreementToChange,
  request: AmendmentRequest,
): Promise<Agreement> {
  const { createId, timeOfDay } = deps
  return change(deps, which, async (agreement, queries) => {
    const max = request.max_number_of_payments
    const paymentsMade = max === undefined ? 0 : await countPayments(queries, agreement.id, max + 1)
    const asked = { amendmentId: createId(), nowMs: timeOfDay.epochMs(), paymentsMade }
    return [decideAmendment(agreement, request, asked)]
  })
}

export function changeAgreementStatus(
  deps: AgreementsDeps,
  which: AgreementToChange,
  request: StatusRequest,
): Promise<Agreement> {
  return change(deps, which, (agreement) =>
    Promise.resolve(decideStatus(agreement, request, dayAt(deps.timeOfDay.epochMs()))),
  )
}

/** The agreement that an event is about, on the wire, as it was right after. The event has the id of the history's entry. */
export async function agreementAfterEvent(
  { database }: AgreementsDeps,
  { id, subject }: { id: string; subject: string },
): Promise<AgreementResource> {
  const [agreement, change] = await Promise.all([findAgreement(database, subject), findChange(database, id)])
  if (agreement === null || change?.agreementId !== subject) throw new Error(`event ${id} is of no agreement`)
  return toAgreementAfter(agreement, change)
}

/** Locks the agreement meanwhile: of many requests at once each decides on what the ones before it have made. */
function change(
  deps: AgreementsDeps,
  { merchantId, id, ifMatch }: AgreementToChange,
  decide: (agreement: Agreement, queries: Queries) => Promise<readonly Decision[]>,
): Promise<Agreement> {
  return deps.database.transaction(async (queries) => {
    const agreement = await lockAgreement(queries, merchantId, id)
    if (agreement === null) throw notFound('agreement')
    refuseIfChanged('agreement', entityTagOf(agreement), ifMatch)
    return recordLocked(queries, deps, agreement, await decide(agreement, queries))
  })
}

/** A request waits no longer for the network. */
const MAX_RESOLVE_MS = 10_000

/**
 * The name of the debtor's account holder by the network; null if it does not tell. Throws `debtor_not_found`, or `network_unavailable`
 * while the network does not answer.
 */
async function resolveDebtor(
  network: AgreementsDeps['network'],
  { account, pay_id: payId }: Debtor,
): Promise<string | null> {
  const known = account === undefined ? payId && { payId } : { account }
  if (known === undefined) throw new Error('a debtor has an account or a PayID')
  const found = await network.resolve(known, AbortSignal.timeout(MAX_RESOLVE_MS))
  if (found.kind === 'found') return found.name
  if (found.kind === 'not_found')
    throw new ServiceError('debtor_not_found', 'The network knows no such account or PayID.')
  throw new ServiceError(
    'network_unavailable',
    'The payment network cannot be reached just now. Nothing was kept; try again in a moment.',
    { retryAfter: 5 },
  )
}
