import type { ErrorDetail } from '../../contract/api/envelope.ts'

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
  return { code, words: texts.local[code], details: [], isUnknown }
}

interface ServiceError {
  code: string
  message: string
  details?: ErrorDetail[] | undefined
}

/** A failure from an error of the service, in its words unless there are better ones for its code. */
export function serviceFailure(status: number, { code, message, details = [] }: ServiceError): Failure {
  const known: Readonly<Record<string, string>> = texts.service
  return {
    code,
    words: known[code] ?? sentenceOf(message),
    details: details.map((detail) => ({ ...detail, message: sentenceOf(detail.message) })),
    isUnknown: status >= 500 || code === 'request_in_progress',
  }
}

/** Whole sentences of what may be a clause without its subject, such as "must not be empty". */
function sentenceOf(message: string): string {
  const whole = /^(?:is|has|must|may|can)\b/.test(message) ? `this ${message}` : message
  const text = whole.charAt(0).toUpperCase() + whole.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The words for a failed request: what happened, then what to do. */
const texts = {
  local: {
    offline: 'You are offline. Check your connection, then try again.',
    unreachable: 'The service can’t be reached. Check your connection, then try again.',
    timeout: 'The service took too long to answer. Try again.',
    unreadable_answer:
      'The service gave an answer that this page can’t read. Reload the page, then try again.',
    cancelled: 'Nothing was changed: the password was not given.',
  },
  service: {
    request_in_progress: 'The same request is still being worked on. Wait a moment, then try again.',
    precondition_failed: 'Somebody else has changed this meanwhile. Reload, look at it again, then repeat.',
    system_error: 'Something went wrong on our side. Try again; if it stays, tell your operator.',
    service_unavailable: 'The service is busy. Try again in a moment.',
    gateway_unavailable: 'The gateway can’t be reached. Try again in a moment.',
    network_unavailable: 'The payment network can’t be reached. Try again in a moment.',
    outcome_unknown: 'The gateway has not said what came of this. It is being asked; look again in a minute.',
  },
} as const
