import * as v from 'valibot'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import type { Database } from '../../platform/database/database.ts'
import { testStatement } from '../test-statement.ts'
import { booksText, historyText, paymentText } from './agreement-view.ts'
import type { AgreementView } from './agreement-view.ts'
import type { MerchantCalls } from './merchant-calls.ts'

const listEvents = testStatement<{ subject: string; type: string }>(
  'model_list_events',
  'SELECT subject, type FROM event_outbox WHERE subject = ANY($1)',
)
const listBooks = testStatement<{ id: string; cents: number; verdict: string; times_asked: number }>(
  'model_list_books',
  'SELECT id, amount::int AS cents, verdict, times_asked FROM sandbox_network.payments WHERE agreement_id = $1',
)

/** The real side of the comparison: what is read by HTTP, the events that were written, and the sandbox network's books. */
export async function readView(
  database: Database,
  { get }: Pick<MerchantCalls, 'get'>,
  id: string,
): Promise<AgreementView> {
  const agreement = v.parse(AgreementResource, (await get(`/agreements/${id}`)).body.resource.data)
  const page = await get(`/agreements/${id}/payments?limit=100`)
  const payments = v.parse(v.array(AgreementPaymentResource), page.body.resource.data)
  const events = await database.run(listEvents, [[id, ...payments.map(({ _id }) => _id)]])
  const books = await database.run(listBooks, [id])
  const known = new Set(payments.map(({ _id }) => _id))
  if (books.some((entry) => !known.has(entry.id)))
    throw new Error('the network has a payment that nobody made')
  const eventsOf = (subject: string) =>
    events.filter((one) => one.subject === subject).map(({ type }) => type)
  const booksOf = (paymentId: string) => {
    const entry = books.find((one) => one.id === paymentId)
    return entry === undefined ? null : booksText(entry.cents, entry.verdict, entry.times_asked)
  }
  return {
    status: agreement.status,
    version: agreement.version,
    suspendedBy: agreement.suspended_by,
    pendingUntil: agreement.pending_amendment?.response_required_by ?? null,
    start: agreement.start_date,
    end: agreement.end_date,
    maxPayments: agreement.max_number_of_payments,
    nextCollection: agreement.next_collection_date,
    history: (agreement.history ?? []).map((one) =>
      historyText(one.type, one.status, one.version, one.by, toSecond(one.at)),
    ),
    payments: payments.map((one) => paymentText(toFacts(one, eventsOf(one._id), booksOf(one._id)))).sort(),
    events: eventsOf(id).sort(),
  }
}

/** While the model's clock stands still, each change is a millisecond after the one before. */
const toSecond = (time: string) => time.replace(/\.\d{3}Z$/, '.000Z')

function toFacts(payment: AgreementPaymentResource, events: readonly string[], books: string | null) {
  const { agreement_id: agreementId, reference } = payment
  return {
    cents: Math.round(payment.amount * 100),
    version: payment.agreement_version,
    reference: reference === agreementId ? 'collected' : reference,
    isLast: payment.last_payment,
    dueOn: payment.due_on,
    status: payment.status,
    failure: payment.failure?.code ?? null,
    createdAt: payment.created_at,
    settledAt: payment.settled_at === null ? null : toSecond(payment.settled_at),
    events,
    books,
  }
}
