import type {
  AgreementRequest,
  AmendmentRequest,
} from '../../../contract/api/agreements/agreement-request.ts'
import type { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import type { TimeOfDay } from '../../platform/clocks.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/sealed-text.ts'
import type { PaymentNetwork } from '../payment-network/payment-network.ts'
import { sealParties } from './accounts.ts'
import type { AgreementFilter, AgreementStore, NewAgreement } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import type { RecordedChange } from './change.ts'
import { refuseIfChanged } from './entity-tag.ts'
import { decideAmendment } from './lifecycle/amend.ts'
import type { Decision } from './lifecycle/decision.ts'
import { toMandate } from './lifecycle/mandate.ts'
import { toNewAgreement } from './lifecycle/new-agreement.ts'
import { recordIn, toChange } from './lifecycle/record-decisions.ts'
import { decideStatus } from './lifecycle/move.ts'
import type { PaymentsApi } from './payments/payment-parts.ts'
import { resolveDebtor } from './resolve-debtor.ts'
import { dayAt } from './terms/day.ts'

/** Which agreement a merchant would change, and which version of it, by its `If-Match`. */
interface Which {
  merchantId: string
  id: string
  ifMatch: string | undefined
}

/** The agreement that would be made, and the name of the debtor's account holder by the network. */
interface Checked {
  agreement: NewAgreement
  resolvedName: string | null
}

/** What a merchant can do with its agreements. What a rule forbids throws a `ServiceError`. */
export interface Agreements {
  create: (merchantId: string, request: AgreementRequest) => Promise<Agreement>
  /** As `create` does, but nothing is kept. */
  validate: (merchantId: string, request: AgreementRequest) => Promise<Checked>
  get: (merchantId: string, id: string) => Promise<{ agreement: Agreement; history: RecordedChange[] }>
  list: (merchantId: string, filter: AgreementFilter) => Promise<Agreement[]>
  amend: (which: Which, request: AmendmentRequest) => Promise<Agreement>
  changeStatus: (which: Which, request: StatusRequest) => Promise<Agreement>
}

interface Parts {
  database: Pick<Database, 'transaction'>
  store: AgreementStore
  network: Pick<PaymentNetwork, 'resolve'>
  countPayments: PaymentsApi['count']
  vault: TextVault
  createId: CreateId
  timeOfDay: TimeOfDay
}

export function createAgreements(parts: Parts): Agreements {
  const { database, store, countPayments, createId, timeOfDay } = parts
  const today = () => dayAt(timeOfDay.epochMs())

  /** The agreement is locked meanwhile: of many requests at once each decides on what those before it have made of it. */
  const change = (
    { merchantId, id, ifMatch }: Which,
    decide: (agreement: Agreement, queries: Queries) => Promise<readonly Decision[]>,
  ) =>
    database.transaction(async (queries) => {
      const agreement = (await store.lock(queries, merchantId, id)) ?? notFound()
      refuseIfChanged(agreement, ifMatch)
      const changed = await recordIn(queries, parts, {
        agreement,
        decisions: await decide(agreement, queries),
        noticeId: null,
      })
      if (changed === null) throw new Error('an agreement that was locked has changed')
      return changed
    })

  return {
    async create(merchantId, request) {
      const { agreement } = await checked(parts, merchantId, request)
      return add(parts, agreement, request)
    },
    validate: (merchantId, request) => checked(parts, merchantId, request),
    async get(merchantId, id) {
      const agreement = (await store.findOf(merchantId, id)) ?? notFound()
      return { agreement, history: await store.history(id) }
    },
    list: store.list,
    amend: (which, request) =>
      change(which, async (agreement, queries) => {
        const max = request.max_number_of_payments
        const paymentsMade = max === undefined ? 0 : await countPayments(queries, agreement.id, max + 1)
        const asked = { amendmentId: createId(), nowMs: timeOfDay.epochMs(), paymentsMade }
        return [decideAmendment(agreement, request, asked)]
      }),
    changeStatus: (which, request) =>
      change(which, (agreement) => Promise.resolve(decideStatus(agreement, request, today()))),
  }
}

/** What creating and validating have in common: all of it but storing. */
async function checked(
  { network, createId, timeOfDay }: Parts,
  merchantId: string,
  request: AgreementRequest,
): Promise<Checked> {
  const agreement = toNewAgreement(request, { id: createId(), merchantId, nowMs: timeOfDay.epochMs() })
  const resolvedName = await resolveDebtor(network, request.debtor)
  return { agreement, resolvedName }
}

async function add(
  { store, vault, createId, timeOfDay }: Parts,
  agreement: NewAgreement,
  request: AgreementRequest,
): Promise<Agreement> {
  const { type, purpose } = agreement
  const made: Decision = {
    type: 'created',
    by: 'creditor',
    reason: null,
    facts: {},
    instruction: { kind: 'create', type, purpose, mandate: toMandate(agreement) },
  }
  const sealed = await sealParties(vault, request, agreement)
  const moment = { createId, at: new Date(timeOfDay.epochMs()), noticeId: null }
  return store.add(agreement, sealed, toChange(made, moment))
}

function notFound(): never {
  throw new ServiceError('not_found', 'There is no agreement with this id.')
}
