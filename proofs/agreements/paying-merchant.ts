import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../merchant/http-api.ts'
import { errorCodeOf } from './agreement-api.ts'
import type { AgreementApi } from './agreement-api.ts'

/** A merchant's own record of the payments that it asked for and what it was told; each has a reference of its own. */
export interface PaymentJournal {
  /** Written before anything is sent. */
  asked: ReadonlySet<string>
  acknowledged: ReadonlySet<string>
  /** Payments that were refused for good. */
  refused: ReadonlySet<string>
  ask: (reference: string) => void
  acknowledge: (reference: string) => void
  refuse: (reference: string) => void
}

export function createPaymentJournal(): PaymentJournal {
  const asked = new Set<string>()
  const acknowledged = new Set<string>()
  const refused = new Set<string>()
  return {
    asked,
    acknowledged,
    refused,
    ask: (reference) => void asked.add(reference),
    acknowledge: (reference) => void acknowledged.add(reference),
    refuse: (reference) => void refused.add(reference),
  }
}

/** A merchant that sends payments without a pause, and repeats what got no answer under the same `Idempotency-Key`. */
export interface PayingMerchant {
  /** Pays from this agreement too. That payment may be refused, as the service collects from the same agreement. */
  contest: (agreementId: string, amount: string) => void
  /** Suspends this agreement, releases it and pays from it at once, again and again. Nobody else may change it. */
  pauseAndPay: (agreementId: string) => void
  /** Sends nothing new, and waits until every payment has its answer; throws when one went wrong. */
  close: () => Promise<void>
}

interface PaymentRequest {
  agreementId: string
  amount: string
  reference: string
  /** Another payment may come first, so the terms may not allow this one any more. */
  isContested: boolean
}

const CONTESTED: readonly (string | null)[] = ['outside_terms', 'unfulfilled_condition']
const MAX_CLOSING_MS = 150_000
const PAUSE_MS = 30
/** Between two suspensions of one agreement: its bank has followed the one before, unless a process was killed meanwhile. */
const BETWEEN_SUSPENSIONS_MS = 3000

/** Begins: `clients` payments are under way at any time, each from an agreement that is chosen at random. */
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
  const begin = (request: PaymentRequest) => {
    const payment = payUntilAnswered(api, journal, request)
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => payments.delete(payment))
    payments.add(payment)
    return payment
  }
  const client = async () => {
    while (isOpen) {
      const agreementId = agreementIds[Math.floor(Math.random() * agreementIds.length)] ?? ''
      const amount = (1 + Math.random() * 200).toFixed(2)
      const reference = `invoice-${sent++}`
      await begin({ agreementId, amount, reference, isContested: false })
    }
  }
  const working = Array.from({ length: clients }, client)
  const pausing = async (agreementId: string) => {
    while (isOpen) {
      await changeUntilDone(api, agreementId, { action: 'suspend', reason_code: 'customer_request' })
      await changeUntilDone(api, agreementId, { action: 'release' })
      await begin({ agreementId, amount: '5.00', reference: `released-${sent++}`, isContested: false })
      await sleep(BETWEEN_SUSPENSIONS_MS)
    }
  }
  return {
    pauseAndPay(agreementId) {
      working.push(pausing(agreementId).catch((fault: unknown) => void faults.push(fault)))
    },
    contest(agreementId, amount) {
      void begin({ agreementId, amount, reference: `contest-${sent++}`, isContested: true })
    },
    async close() {
      isOpen = false
      const late = new Promise<never>((_resolve, reject) => {
        setTimeout(
          () => reject(new Error(`${payments.size} payments have no answer`)),
          MAX_CLOSING_MS,
        ).unref()
      })
      await Promise.race([Promise.all([...working, ...payments]), late])
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}

async function payUntilAnswered(
  api: AgreementApi,
  journal: PaymentJournal,
  request: PaymentRequest,
): Promise<void> {
  const { reference } = request
  journal.ask(reference)
  for (;;) {
    const answer = await pay(api, request).catch(() => null)
    if (answer === null) {
      await sleep(PAUSE_MS)
      continue
    }
    if (answer.status === 201) {
      journal.acknowledge(reference)
      return
    }
    const code = errorCodeOf(answer)
    if (request.isContested && CONTESTED.includes(code)) {
      journal.refuse(reference)
      return
    }
    throw new Error(`${reference} was answered ${answer.status}: ${answer.text}`)
  }
}

/** A change that got no answer may have been made: then the repetition is refused, as the agreement is so already. */
async function changeUntilDone(api: AgreementApi, agreementId: string, body: object): Promise<void> {
  for (;;) {
    const path = `/agreements/${agreementId}/status`
    const answer = await api.send({ method: 'PATCH', path, body }).catch(() => null)
    if (answer !== null) {
      if (answer.status === 200 || errorCodeOf(answer) === 'unfulfilled_condition') return
      throw new Error(`a change was answered ${answer.status}: ${answer.text}`)
    }
    await sleep(PAUSE_MS)
  }
}

/** A payment's reference is its idempotency key, too. */
function pay(api: AgreementApi, { agreementId, amount, reference }: PaymentRequest): Promise<Answer> {
  return api.send({
    method: 'POST',
    path: `/agreements/${agreementId}/payments`,
    headers: { 'idempotency-key': reference },
    body: { amount, reference },
  })
}
