import type { ErrorDetail } from '../../contract/api/envelope.ts'
import { failureTexts } from './failure-texts.ts'

/** Why a request did not do what was asked, in words that a person can act on. */
export interface Failure {
  /** A code of the service (`ERROR_STATUS`), or one of `LocalCode`. */
  code: string
  words: string
  /** What is wrong with which field of the request. */
  details: readonly ErrorDetail[]
  /** Whether the request may have been carried out although no answer says so. */
  isUnknown: boolean
}

/** Failures that no answer of the service describes. */
export type LocalCode = 'offline' | 'unreachable' | 'timeout' | 'unreadable_answer' | 'cancelled'

/** A failure that the browser met, before or instead of an answer. */
export function localFailure(code: LocalCode): Failure {
  const isUnknown = code === 'timeout' || code === 'unreachable' || code === 'unreadable_answer'
  return { code, words: failureTexts.local[code], details: [], isUnknown }
}

interface ServiceError {
  code: string
  message: string
  details?: ErrorDetail[] | undefined
}

/** A failure from an error of the service. Codes without words of their own show the service's message. */
export function serviceFailure(status: number, { code, message, details = [] }: ServiceError): Failure {
  const known: Readonly<Record<string, string>> = failureTexts.service
  const isUnknown = status >= 500 || code === 'request_in_progress'
  return { code, words: known[code] ?? sentence(message), details, isUnknown }
}

/** The service's messages are short clauses: the first letter in upper case, a stop at the end. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
