import * as v from 'valibot'
import type { AccessTokens } from './access-token.ts'
import { Agreement, AgreementPage, AgreementPayment } from './agreement.ts'
import { toAgreementRefusal } from './agreement-refusal.ts'
import { askService, readAnswer } from './ask-service.ts'
import type { Call } from './ask-service.ts'
import { CardServiceFault } from './card-service-fault.ts'

const AgreementAnswer = v.object({ data: Agreement })
const PaymentAnswer = v.object({ data: AgreementPayment })
const PaymentPage = v.object({ data: v.array(AgreementPayment) })

/** A payment to ask for; the amount is decimal text in dollars. */
export interface AgreementPaymentOrder {
  amount: string
  reference: string
  description: string
}

export type StatusChange =
  | { action: 'release' }
  | { action: 'suspend' | 'cancel'; reason_code: string; reason: string }

/** An agreement, and the version that was read. */
interface ReadAgreement {
  agreement: Agreement
  etag: string | null
}

/**
 * The merchant's calls about agreements. Each throws a `CardServiceFault` with words for a person if it fails. A key makes
 * repeating a request harmless: the second one gets the first one's answer.
 */
export interface Agreements {
  create: (request: object, key: string) => Promise<Agreement>
  read: (id: string) => Promise<ReadAgreement>
  /** Those with a reference, newest first. */
  list: (reference: string, cursor?: string) => Promise<AgreementPage>
  /** Asks the payer to accept other terms; refused when the agreement has changed since `etag`. */
  amend: (id: string, change: object, etag: string | null) => Promise<Agreement>
  setStatus: (id: string, change: StatusChange) => Promise<Agreement>
  pay: (id: string, order: AgreementPaymentOrder, key: string) => Promise<AgreementPayment>
  /** The latest payments, newest first. */
  payments: (id: string) => Promise<AgreementPayment[]>
}

export function createAgreements(tokens: AccessTokens): Agreements {
  const ask = (call: Call) => askWithToken(tokens, call)
  const askForAgreement = async (call: Call) => {
    const { resource, etag } = await ask(call)
    return { agreement: readAnswer(AgreementAnswer, resource).data, etag }
  }
  return {
    create: async (body, idempotencyKey) => {
      const call = { method: 'POST', path: '/agreements', body, idempotencyKey } as const
      return (await askForAgreement(call)).agreement
    },
    read: (id) => askForAgreement({ method: 'GET', path: `/agreements/${id}` }),
    list: async (reference, cursor) => {
      const query = new URLSearchParams({ reference, limit: '25', ...(cursor !== undefined && { cursor }) })
      const { resource } = await ask({ method: 'GET', path: `/agreements?${String(query)}` })
      return readAnswer(AgreementPage, resource)
    },
    amend: async (id, body, etag) => {
      const headers = etag === null ? {} : { 'if-match': etag }
      const call = { method: 'PATCH', path: `/agreements/${id}`, body, headers } as const
      return (await askForAgreement(call)).agreement
    },
    setStatus: async (id, body) => {
      const call = { method: 'PATCH', path: `/agreements/${id}/status`, body } as const
      return (await askForAgreement(call)).agreement
    },
    pay: async (id, body, idempotencyKey) => {
      const path = `/agreements/${id}/payments`
      const { resource } = await ask({ method: 'POST', path, body, idempotencyKey })
      return readAnswer(PaymentAnswer, resource).data
    },
    payments: async (id) => {
      const { resource } = await ask({ method: 'GET', path: `/agreements/${id}/payments?limit=25` })
      return readAnswer(PaymentPage, resource).data
    },
  }
}

/** A token that is not taken has done nothing, so the request is repeated once with a new one. */
async function askWithToken(tokens: AccessTokens, call: Call) {
  const askOnce = async () => {
    const { token, serviceUrl } = await tokens.current()
    const headers = { ...call.headers, authorization: `Bearer ${token}` }
    return askService(serviceUrl, { ...call, headers })
  }
  try {
    return await askOnce().catch((error: unknown) => {
      if (!(error instanceof CardServiceFault) || error.code !== 'unauthorized') throw error
      tokens.forget()
      return askOnce()
    })
  } catch (error) {
    throw error instanceof CardServiceFault ? toAgreementRefusal(error) : error
  }
}
