import type { Tracer } from '../../platform/tracing.ts'
import type { Gateway } from './gateway.ts'

/** Starts timing a call; what it returns takes the kind of the answer and ends it. */
type StartTimer = (step: string) => (outcome: string) => void

/**
 * The same gateway with each call timed, by the kind of its answer or as `fault`, and traced by a span, the parent of its requests. Spans
 * hold nothing of a card.
 */
export function watchedGateway(
  gateway: Gateway,
  type: string,
  tracer: Tracer | null,
  startTimer: StartTimer,
): Gateway {
  const timed = async <Answer extends { kind: string }>(step: string, call: () => Promise<Answer>) => {
    const stop = startTimer(step)
    try {
      const answer = await call()
      stop(answer.kind)
      return answer
    } catch (error) {
      stop('fault')
      throw error
    }
  }
  const watched = async <Answer extends { kind: string }>(
    step: string,
    attemptId: string,
    call: () => Promise<Answer>,
  ): Promise<Answer> => {
    if (tracer === null) return timed(step, call)
    const span = tracer.begin('client', `gateway ${step}`)
    span.add({ 'svc.gateway': type, 'svc.attempt_id': attemptId })
    try {
      const answer = await span.within(() => timed(step, call))
      span.add({ 'svc.outcome': answer.kind })
      span.end({ hasFailed: answer.kind === 'unknown' || answer.kind === 'unreachable' })
      return answer
    } catch (error) {
      span.end({ hasFailed: true })
      throw error
    }
  }
  return {
    ...gateway,
    authorise: (request) =>
      watched(request.capture ? 'sale' : 'authorisation', request.attemptId, () =>
        gateway.authorise(request),
      ),
    capture: (request) => watched('capture', request.attemptId, () => gateway.capture(request)),
    cancel: (request) => watched('cancel', request.attemptId, () => gateway.cancel(request)),
    refund: (request) => watched('refund', request.attemptId, () => gateway.refund(request)),
    outcomeOf: (request) => watched('inquiry', request.attemptId, () => gateway.outcomeOf(request)),
  }
}
