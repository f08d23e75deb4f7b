import * as v from 'valibot'
import { askService, readAnswer } from '../card-service/ask-service.ts'
import type { Call } from '../card-service/ask-service.ts'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import type { ShopKeys } from '../card-service/shop-keys.ts'
import { Mandate } from './mandate.ts'

const MandateAnswer = v.object({ data: Mandate })

/** What a payer can answer in its bank. */
export const ANSWERS = [
  'accept',
  'decline',
  'suspend',
  'release',
  'cancel',
  'accept_amendment',
  'decline_amendment',
] as const
export type Answer = (typeof ANSWERS)[number]

/** The payer's side of an agreement, which the card service's sandbox keeps; no key is needed. */
export interface SandboxBank {
  read: (id: string) => Promise<Mandate>
  answer: (id: string, answer: Answer) => Promise<Mandate>
}

/** What a payer reads when its bank refuses, by error code. */
const WORDS: Record<string, string> = {
  not_found: 'Coral Bank has not received this agreement, or not yet.',
  unfulfilled_condition: 'That is no longer possible. This page shows how your agreement stands now.',
  outcome_unknown: 'No answer came in time. This page shows how your agreement stands.',
  service_unavailable: 'Coral Bank cannot be reached just now. Nothing was changed.',
  keys_missing: 'The sandbox of this bank has not been started yet.',
}

export function createSandboxBank(keys: () => Promise<ShopKeys>): SandboxBank {
  const ask = async (call: Call) => {
    try {
      const { resource } = await askService((await keys()).service_url, call)
      return readAnswer(MandateAnswer, resource).data
    } catch (error) {
      if (!(error instanceof CardServiceFault)) throw error
      throw new CardServiceFault(error.code, error.message, WORDS[error.code])
    }
  }
  return {
    read: (id) => ask({ method: 'GET', path: `/sandbox/bank/agreements/${id}` }),
    answer: (id, answer) =>
      ask({ method: 'POST', path: `/sandbox/bank/agreements/${id}/answers`, body: { answer } }),
  }
}
