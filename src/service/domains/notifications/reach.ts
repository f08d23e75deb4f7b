import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { ReachResult } from '../../../contract/dashboard/company/gateway.ts'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import { codeOf, NoAnswer } from '../../platform/outbound/no-answer.ts'
import { isPublicAddress } from '../../platform/outbound/public-address.ts'
import type { NotificationRequest } from '../gateways/gateway.ts'
import type { KeptSecrets } from './notification-secrets.ts'

/**
 * A question that the service sends to the address of an account's notifications, by the way that the gateway's go. It proves that the name,
 * the certificate and every proxy on that way lead to this service and leave headers and body as they are. That the gateway has the right
 * secrets, it can't prove: only a notification of the gateway does.
 */
export interface Question {
  headers: Record<string, string>
  body: string
  /** The answer of this service, and of nobody else. */
  answer: string
}

const USER = 'svc-reach'
/** Spaces, an umlaut and a euro sign: what writes JSON anew changes them. */
const toBody = (nonce: string) => `{ "svc_reach":"${nonce}",  "as it is":"\u00fc\u20ac" }`

/** Asks by the secrets of an account; null if it has none yet. */
export function questionFor(secrets: KeptSecrets, nonce = randomBytes(16).toString('hex')): Question | null {
  const [key] = keysOf(secrets)
  if (key === undefined) return null
  const body = toBody(nonce)
  return {
    headers: { authorization: basic(sign(key, 'question', body)), 'content-type': 'application/json' },
    body,
    answer: answerTo(key, body),
  }
}

/** The answer to a request if it is such a question, asked by the same secrets; else null. */
export function answerQuestion(
  { headers, body }: Pick<NotificationRequest, 'headers' | 'body'>,
  secrets: KeptSecrets,
): string | null {
  const { authorization } = headers
  if (typeof authorization !== 'string' || !authorization.startsWith(BEGINNING)) return null
  const content = body.toString()
  const key = keysOf(secrets).find((one) => isSame(authorization, basic(sign(one, 'question', content))))
  return key === undefined ? null : answerTo(key, content)
}

/** Sends the question to the address, and says in words what came back; never rejects. */
export async function checkReach(send: SendRequest, url: string, question: Question): Promise<ReachResult> {
  const { headers, body, answer } = question
  try {
    const got = await send({ url, headers, body })
    if (got.status === 200 && got.body === answer) return reached(url)
    return { state: 'failed', message: wordsFor(got.status, url) }
  } catch (error) {
    return { state: 'failed', message: unreachedInWords(error, url) }
  }
}

/** The service has found the way to itself. From outside there may be another one. */
function reached(url: string): ReachResult {
  const { hostname, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isHere = /(?:^|\.)(?:localhost|local|internal)$/.test(host)
  if (isHere || (isIP(host) !== 0 && !isPublicAddress(host)))
    return {
      state: 'only_here',
      message: `The address leads to this service, but only from its own network: a gateway on the internet can’t reach ${host}. The operator sets the public address in SVC_BASE_URL.`,
    }
  if (protocol !== 'https:')
    return {
      state: 'only_here',
      message: 'The address leads to this service, but it is not encrypted: gateways send to https:// alone.',
    }
  return {
    state: 'reached',
    message:
      'The address leads to this service, and what is sent there arrives as it was sent. Whether the gateway has the right secrets, its first notification shows.',
  }
}

function wordsFor(status: number, url: string): string {
  if (status === 401)
    return 'The address leads to a service like this one, which does not accept our own test. If secrets were changed in the last seconds, try again. Else a proxy in front of it takes the header Authorization away, or changes the body.'
  return `Something else answers at ${new URL(url).host} (HTTP ${status}). The operator sees to it that POST /gateways/… goes to this service there, as it is.`
}

function unreachedInWords(error: unknown, url: string): string {
  const where = error instanceof NoAnswer ? error.step : undefined
  const step = where === undefined ? '' : `, at its ${where}`
  return `Nothing answers at ${new URL(url).host} (${codeOf(error)}${step}). The operator compares SVC_BASE_URL with the name, the certificate and the firewall of the service.`
}

const basic = (password: string) => `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`
/** All that begins so was made for this user: the base64 of `svc-reach` ends with a whole group. */
const BEGINNING = basic('').slice(0, 'Basic '.length + 12)

/** The secrets by which a question may be asked, the newest first. Each process may know the last change or not. */
const keysOf = ({ signingKeys, password, former }: KeptSecrets): string[] =>
  [...signingKeys, password, former?.password ?? ''].filter((key) => key !== '')

const sign = (key: string, what: 'question' | 'answer', body: string) =>
  createHmac('sha256', key).update(`svc reach ${what} ${body}`).digest('base64url')
const answerTo = (key: string, body: string) => `[reached] ${sign(key, 'answer', body)}`

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
