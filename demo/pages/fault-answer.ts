import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import type { createPages } from './pages.ts'

/** Turns every error into an answer: a message for a page's script, or a page for a person. */
export function addFaultAnswers(app: FastifyInstance, page: ReturnType<typeof createPages>): void {
  const html = 'text/html; charset=utf-8'

  app.setNotFoundHandler(async (_, reply) =>
    reply
      .code(404)
      .type(html)
      .send(await page('not-found', 'Not found')),
  )

  app.setErrorHandler(async (error, request, reply) => {
    const { status, message } = answerTo(error)
    if (status === 500) app.log.error(error)
    if (request.url.startsWith('/api/')) return reply.code(status).send({ message })
    return reply
      .code(status)
      .type(html)
      .send(await page('fault', 'Please come back soon', { message }))
  })
}

function answerTo(error: unknown): { status: number; message: string } {
  if (error instanceof CardServiceFault)
    return { status: refusalStatus(error.code), message: refusalWords(error) }
  const isTheirs = error instanceof v.ValiError || v.is(v.object({ statusCode: v.literal(400) }), error)
  if (isTheirs) return { status: 400, message: 'This request cannot be read.' }
  return { status: 500, message: 'Something went wrong in this shop.' }
}

/** Messages for the shop's staff when the card service refuses to capture, cancel or refund, by error code. */
const WORDS: Record<string, string> = {
  unfulfilled_condition: 'This charge was captured or cancelled already. Refresh to see how it stands.',
  request_in_progress: 'Somebody else is at work on this charge just now. Refresh in a moment.',
  authorisation_expired: 'The hold on the card is over, so this charge can no longer be captured.',
  validation_error: 'That is not an amount. Write it like 12.50, above zero.',
  amount_exceeds_authorised: 'That is more than was held on the card.',
  amount_exceeds_captured: 'That is more than is left to give back.',
  outcome_unknown: 'The bank has not answered yet. The card service is asking again: refresh in a moment.',
  service_unavailable: 'The card service cannot be reached. Nothing was changed.',
  gateway_unavailable: 'The bank cannot be reached. Nothing was changed.',
  keys_missing: 'The card service has not given this shop its keys yet. Start it, then refresh.',
  unauthorized: "The card service does not take this shop's key.",
}

/** Codes which mean that the bank or the card service could not be reached. */
const UNREACHED = new Set([
  'outcome_unknown',
  'service_unavailable',
  'gateway_unavailable',
  'network_unavailable',
  'keys_missing',
])

/** HTTP status of the shop's own answer. */
const refusalStatus = (code: string): number => (UNREACHED.has(code) ? 502 : 422)

/** The shop's message for a fault, or else the card service's own. */
const refusalWords = ({ code, words, message }: CardServiceFault): string => words ?? WORDS[code] ?? message
