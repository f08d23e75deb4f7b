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

/** The service was interrupted, and answers the same under the request's key for ever. */
const INTERRUPTED = 'interrupted'

/**
 * What was asked. `read`: it changed nothing. `once`: the service carries out one request of a key, however often it comes. `change`: it
 * may be carried out each time.
 */
export type Asked = 'read' | 'once' | 'change'

/** Failures after which a change may have been carried out, with what is said of them. */
const UNANSWERED: Readonly<Record<Exclude<LocalCode, 'offline' | 'cancelled'>, string>> = {
  unreachable: 'The connection was lost before an answer came',
  timeout: 'The service took too long to answer',
  unreadable_answer: 'The service gave an answer that this page can’t read',
}

/** A failure that the browser met, before or instead of an answer. */
export function localFailure(code: LocalCode, asked: Asked = 'read'): Failure {
  const isUnknown = code !== 'offline' && code !== 'cancelled'
  const words =
    isUnknown && asked !== 'read' ? `${UNANSWERED[code]}${texts.unknown[asked]}` : texts.local[code]
  return { code, words, details: [], isUnknown }
}

/** A failure in full, where no form shows its details beside their fields. */
export function inFull({ code, words, details }: Failure): string {
  const faults = details.map(({ message }) => message)
  return (code === 'validation_error' && faults.length > 0 ? faults : [words, ...faults]).join(' ')
}

/** Refusals that say nothing of an earlier request under the same key: the service had not looked for one. */
const PRELIMINARY: ReadonlySet<string> = new Set([
  'offline',
  'cancelled',
  'unauthorized',
  'forbidden',
  'password_required',
  'rate_limited',
])

/** Whether the key of a request is over after this failure: it was not and will not be carried out, or nobody can tell any more. */
export function isSettledBy({ code, isUnknown }: Failure): boolean {
  return code === INTERRUPTED || (!isUnknown && !PRELIMINARY.has(code))
}

/** The failure of a repeated request, where it says nothing of the first one. */
export function stillUnknown(failure: Failure): Failure {
  return { ...failure, words: `${failure.words} ${texts.stillUnknown}`, isUnknown: true }
}

interface ServiceError {
  code: string
  message: string
  details?: ErrorDetail[] | undefined
}

/** How an error was answered. `isWorthRepeating`: with `Retry-After`. */
interface Answered {
  status: number
  isWorthRepeating: boolean
}

/** A failure from an error of the service, in its words unless there are better ones for its code. */
export function serviceFailure(
  { status, isWorthRepeating }: Answered,
  { code, message, details = [] }: ServiceError,
  asked: Asked = 'read',
): Failure {
  if (code === 'outcome_unknown' && !isWorthRepeating)
    return { code: INTERRUPTED, words: texts.interrupted, details: [], isUnknown: true }
  const known: Readonly<Record<string, string>> = texts.service
  const isFault = code === 'system_error' && asked !== 'read'
  return {
    code,
    words: isFault ? `${texts.fault}${texts.unknown[asked]}` : (known[code] ?? sentenceOf(message)),
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
  unknown: {
    once: ', so it is unknown whether this was done. Check your connection, then try again: it is done only once.',
    change: ', so it is unknown whether this was done. Reload the page, and try again only if it was not.',
  },
  interrupted:
    'The service was interrupted, so it is unknown whether this was done. Reload the page, and try again only if it was not.',
  stillUnknown: 'Whether it was done the first time is still unknown.',
  fault: 'Something went wrong on our side',
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
