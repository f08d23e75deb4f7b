import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import { createAgreementApi, until } from '../agreements/agreement-api.ts'
import { openAgreementBooks } from '../agreements/agreement-books.ts'
import { openBooks } from '../books/books.ts'
import { clientIn, keysIn } from '../machines/service-process.ts'
import { createHttpApi } from '../merchant/http-api.ts'
import type { HttpApi } from '../merchant/http-api.ts'
import { createMerchantServer } from '../merchant/merchant-server.ts'
import type { End } from '../merchant/merchant-server.ts'

const MAX_MS = 30_000
const Charges = v.array(v.object({ _id: v.string(), created_at: v.pipe(v.string(), v.isoTimestamp()) }))

interface Place {
  /** Of the service that has made its merchant on an empty database. */
  folder: string
  port: number
  /** The same database, past any pooler, as somebody with usual settings. */
  connectionString: string
}

/**
 * A little of all that a service does: a charge held, captured and refunded, a list, a payment of an agreement, a job, and events sealed.
 * Rejects where one of them is not right, and at the first answer 500.
 */
export async function liveThroughDay(place: Place): Promise<void> {
  const late = new AbortController()
  const tooLate = sleep(MAX_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the day was not over after ${MAX_MS} ms`)
  })
  const http = createHttpApi(() => place.port)
  let fail: (fault: Error) => void = () => undefined
  const broken = new Promise<never>((_resolve, reject) => (fail = reject))
  const api: HttpApi = {
    ...http,
    async send(call) {
      const answer = await http.send(call)
      if (answer.status === 500) fail(new Error(`${call.method} ${call.path}: ${answer.text}`))
      return answer
    },
  }
  try {
    await Promise.race([dayOf(api, place), tooLate, broken])
  } finally {
    late.abort()
    await tooLate.catch(() => undefined)
    http.close()
  }
}

async function dayOf(api: HttpApi, { folder, connectionString }: Place): Promise<void> {
  const keys = keysIn(folder)
  const server = createMerchantServer(api, keys, () => undefined)
  const token = await server.tokenise('card')
  const sold = await server.sell('sale', { token, amount: '20.00', reference: 'Ωmega 漢字', capture: false })
  const id = chargeOf(sold, 'pending')
  chargeOf(await server.capture('capture', id, '20.00'), 'complete')
  chargeOf(await server.refund('refund', id, '5.00'), 'complete')
  const list = await api.send({
    method: 'GET',
    path: '/v1/charges?limit=10',
    headers: { 'x-user-secret-key': keys.secretKey },
  })
  const charges = v.parse(Charges, v.parse(Envelope, JSON.parse(list.text)).resource.data)
  if (!charges.some(({ _id }) => _id === id)) throw new Error(`the list lacks the charge: ${list.text}`)
  const agreements = createAgreementApi(api, clientIn(folder))
  const terms = { amount_type: 'usage', maximum_amount: '300.00' }
  const agreement = await agreements.makeActive({ type: 'adhoc', debtor: 'approve', payment_terms: terms })
  const paid = await agreements.send({
    method: 'POST',
    path: `/agreements/${agreement}/payments`,
    headers: { 'idempotency-key': 'invoice' },
    body: { amount: '7.00', reference: 'invoice' },
  })
  if (paid.status !== 201) throw new Error(`a payment was answered ${paid.status}: ${paid.text}`)
  await inBooks(connectionString)
  const health = await api.send({ method: 'GET', path: '/health' })
  if (health.status !== 200) throw new Error(`/health was answered ${health.status}: ${health.text}`)
}

/** The id of a charge that has this status. */
function chargeOf(end: End, status: string): string {
  if (end.kind === 'refused') throw new Error(`a request was refused: ${end.code}`)
  if (end.charge.status !== status) throw new Error(`a charge is ${end.charge.status}, not ${status}`)
  return end.charge._id
}

/** Waits until the payment is settled and every event is sealed; then the books must agree with the ledgers. */
async function inBooks(connectionString: string): Promise<void> {
  const [books, agreements] = [openBooks(connectionString), openAgreementBooks(connectionString)]
  await until(async () => {
    const [row] = await agreements.read<{ settled: string; sealed: string; waiting: string }>(
      `SELECT (SELECT count(*) FROM agreement_payments WHERE status = 'settled') AS settled,
         (SELECT count(*) FROM events WHERE type LIKE 'charge.%') AS sealed, (SELECT count(*) FROM event_outbox) AS waiting`,
    )
    return row?.settled === '1' && Number(row.sealed) >= 3 && row.waiting === '0'
  })
  const differences = [...(await books.differences()), ...(await agreements.differences())]
  if (differences.length > 0) throw new Error(differences.join('; '))
  if ((await books.openAttempts()) > 0) throw new Error('an attempt has no outcome')
}
