import { strikesBefore } from '../../testing/double-faults.ts'
import type { DoubleAnswer, DoubleErrors, DoubleFault } from '../../testing/double-faults.ts'
import { startDoubleServer } from '../../testing/double-server.ts'
import type { DoubleServer, ReceivedRequest } from '../../testing/double-server.ts'
import { faultsOfAnswer, faultsOfRequest } from './checkout-faults.ts'
import { createDisputeLedger } from './dispute-ledger.ts'
import type { DisputeLedger } from './dispute-ledger.ts'
import { createDoubleLedger } from './double-ledger.ts'
import type { DoubleLedger } from './double-ledger.ts'

export interface DoubleRequest {
  path: string
  key: string
  body: unknown
}

/**
 * Adyen's Checkout and Disputes APIs as far as the adapter uses them: books of its own, keys that it remembers, faults on demand. What it is
 * sent, and what it answers where no fault was asked for, is checked by Adyen's schemas.
 */
export interface AdyenDouble {
  baseUrl: string
  ledger: DoubleLedger
  disputes: DisputeLedger
  /** Every request that reached it, oldest first. */
  requests: DoubleRequest[]
  /** The next request meets this fault: of those that are meant, if it is said which. */
  breakNext: DoubleServer['breakNext']
  /** No request meets a fault any more. */
  heal: () => void
  /** Rejects when something was sent or answered that is not as Adyen's schemas say. */
  close: () => Promise<void>
}

const DISPUTES_PATH = '/ca/services/DisputeService/v30'

interface Behaviour {
  apiKey: string
  /** Whether a refusal for a wrong request takes the key, as an answer does. */
  keepsRefusals?: boolean
  /** Whether the API key has the role that the Disputes API needs. */
  mayAnswerDisputes?: boolean
}

const FORBIDDEN: DoubleAnswer = {
  status: 401,
  body: {
    status: 401,
    errorCode: '000',
    message: 'HTTP Status Response - Unauthorized',
    errorType: 'security',
  },
}
const WITHOUT_ROLE: DoubleAnswer = {
  status: 403,
  body: { status: 403, errorCode: '010', message: 'Not allowed', errorType: 'security' },
}
const OTHERS: DoubleAnswer = {
  status: 200,
  body: {
    resultCode: 'Authorised',
    pspReference: 'OTHERSPAYMENT001',
    merchantReference: 'another-order',
    reference: 'another-order',
    status: 'received',
  },
}

const ERRORS: DoubleErrors = {
  failure: errorOf(500, '905', 'An internal error occurred'),
  'too many requests': errorOf(429, '000', 'Too many requests'),
  'key in use': {
    ...errorOf(422, '704', 'Request already processed or in progress'),
    headers: { 'transient-error': 'true' },
  },
}

function errorOf(status: number, errorCode: string, message: string): DoubleAnswer {
  return { status, body: { status, errorCode, message, errorType: 'internal' } }
}

export async function startAdyenDouble({
  apiKey,
  keepsRefusals = true,
  mayAnswerDisputes = true,
}: Behaviour): Promise<AdyenDouble> {
  const ledger = createDoubleLedger()
  const disputes = createDisputeLedger(ledger)
  const remembered = new Map<string, DoubleAnswer>()
  const requests: DoubleRequest[] = []
  const breaches: string[] = []
  const server = await startDoubleServer({ answerTo, other: OTHERS, errors: ERRORS })
  return {
    baseUrl: `${server.origin}/v72`,
    ledger,
    disputes,
    requests,
    breakNext: server.breakNext,
    heal: server.heal,
    async close() {
      await server.close()
      if (breaches.length > 0) throw new Error(`not as Adyen's schemas say:\n${breaches.join('\n')}`)
    },
  }

  function answerTo({ path: url, key, headers, text }: ReceivedRequest, fault: DoubleFault | undefined) {
    const isOfDispute = url.startsWith(DISPUTES_PATH)
    const path = isOfDispute ? url.slice(DISPUTES_PATH.length) : url.replace(/^\/v72/, '')
    const body: unknown = JSON.parse(text)
    requests.push({ path, key, body })
    breaches.push(...faultsOfRequest(path, body).map((found) => `a request to ${path}: ${found}`))
    if (strikesBefore(fault)) return OTHERS
    const isLetIn = headers['x-api-key'] === apiKey
    const answer = !isLetIn ? FORBIDDEN : isOfDispute ? ofDispute(path, body) : once(path, key, body)
    breaches.push(...faultsOfAnswer(path, answer).map((found) => `the answer to ${path}: ${found}`))
    return remembered.has(key) ? { ...answer, headers: { 'idempotency-key': key } } : answer
  }

  /** The Disputes API knows no keys: what comes twice is done twice. */
  function ofDispute(path: string, body: unknown): DoubleAnswer {
    return mayAnswerDisputes ? disputes.apply(path, body) : WITHOUT_ROLE
  }

  /** The first answer under a key is the answer to all that come under it. */
  function once(path: string, key: string, body: unknown): DoubleAnswer {
    const known = remembered.get(key)
    if (known !== undefined) return known
    const answer = ledger.apply(path, body)
    if (answer.status < 400 || keepsRefusals) remembered.set(key, answer)
    return answer
  }
}
