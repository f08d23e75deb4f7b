import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { Answer } from '../merchant/http-api.ts'
import { dataOf, errorCodeOf } from './agreement-api.ts'
import type { AgreementApi } from './agreement-api.ts'
import type { PaymentJournal } from './payment-journal.ts'

/** A merchant that sends payments without a pause, and repeats what got no answer under the same `Idempotency-Key`. */
export interface PayingMerchant {
  /** Pays of this agreement beside the others: it may be refused, as the service collects of it too. */
  contest: (agreementId: string, amount: string) => void
  /** Sends nothing new, and waits until every payment has its answer; throws when one went wrong. */
  close: () => Promise<void>
}

interface Wish {
  agreementId: string
  amount: string
  reference: string
  /** It may turn out that the terms do not allow it any more. */
  isContested: boolean
}

const CONTESTED: readonly (string | null)[] = ['outside_terms', 'unfulfilled_condition']
const MOST_CLOSING_MS = 150_000
const PAUSE_MS = 30
const LONG_PAUSE_MS = 500

/**
 * Opens it: `clients` payments are under way at a time, each of an agreement that is chosen by chance. One whose answer takes long
 * is waited for beside the next.
 */
export function openPayingMerchant(
  api: AgreementApi,
  journal: PaymentJournal,
  agreementIds: readonly string[],
  clients: number,
): PayingMerchant {
  let isOpen = true
  let sent = 0
  const payments = new Set<Promise<void>>()
  const faults: unknown[] = []
  const begin = (wish: Wish, free: () => void) => {
    const payment = payUntilAnswered(api, journal, wish, free)
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => {
        payments.delete(payment)
        free()
      })
    payments.add(payment)
  }
  const client = async () => {
    while (isOpen) {
      const agreementId = agreementIds[Math.floor(Math.random() * agreementIds.length)] ?? ''
      const amount = (1 + Math.random() * 200).toFixed(2)
      const reference = `invoice-${sent++}`
      await new Promise<void>((free) => begin({ agreementId, amount, reference, isContested: false }, free))
    }
  }
  const working = Array.from({ length: clients }, client)
  return {
    contest: (agreementId, amount) =>
      begin({ agreementId, amount, reference: `contest-${sent++}`, isContested: true }, () => undefined),
    async close() {
      isOpen = false
      const late = new Promise<never>((_resolve, reject) => {
        setTimeout(
          () => reject(new Error(`${payments.size} payments have no answer`)),
          MOST_CLOSING_MS,
        ).unref()
      })
      await Promise.race([Promise.all([...working, ...payments]), late])
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}

/** `free` is called once it takes long. */
async function payUntilAnswered(
  api: AgreementApi,
  journal: PaymentJournal,
  wish: Wish,
  free: () => void,
): Promise<void> {
  const { reference } = wish
  journal.ask(reference)
  let key = reference
  for (;;) {
    const answer = await pay(api, wish, key).catch(() => null)
    if (answer === null) {
      await sleep(PAUSE_MS)
      continue
    }
    if (answer.status === 201) {
      journal.acknowledge(reference)
      return
    }
    const code = errorCodeOf(answer)
    if (wish.isContested && CONTESTED.includes(code)) {
      journal.refuse(reference)
      return
    }
    if (code !== 'request_in_progress' && code !== 'outcome_unknown')
      throw new Error(`${reference} was answered ${answer.status}: ${answer.text}`)
    free()
    // The service ended while it carried the request out: what is there says whether it was done (contract §2).
    const isThere = await isListed(api, wish).catch(() => null)
    if (isThere === true) {
      journal.acknowledge(reference)
      return
    }
    if (isThere === false && code === 'outcome_unknown') key = `${key}-again`
    await sleep(LONG_PAUSE_MS)
  }
}

function pay(api: AgreementApi, { agreementId, amount, reference }: Wish, key: string): Promise<Answer> {
  return api.send({
    method: 'POST',
    path: `/agreements/${agreementId}/payments`,
    headers: { 'idempotency-key': key },
    body: { amount, reference },
  })
}

const Listed = v.array(v.object({ _id: v.string() }))

async function isListed(api: AgreementApi, { agreementId, reference }: Wish): Promise<boolean> {
  const path = `/agreements/${agreementId}/payments?reference=${reference}`
  return dataOf(Listed, await api.send({ method: 'GET', path })).length > 0
}
