import type { Tracer } from '../../platform/tracing.ts'
import type { Gateway } from './gateway.ts'

/** The same gateway with a span for each movement, the parent of its requests. Spans hold nothing of a card. */
export function tracedGateway(tracer: Tracer | null, type: string, gateway: Gateway): Gateway {
  if (tracer === null) return gateway
  const traced = async <Answer extends { kind: string }>(
    step: string,
    attemptId: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> => {
    const span = tracer.begin('client', `gateway ${step}`)
    span.add({ 'svc.gateway': type, 'svc.attempt_id': attemptId })
    try {
      const answer = await span.within(ask)
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
    authorise: (operation) =>
      traced(operation.capture ? 'sale' : 'authorisation', operation.attemptId, () =>
        gateway.authorise(operation),
      ),
    capture: (operation) => traced('capture', operation.attemptId, () => gateway.capture(operation)),
    cancel: (operation) => traced('cancel', operation.attemptId, () => gateway.cancel(operation)),
    refund: (operation) => traced('refund', operation.attemptId, () => gateway.refund(operation)),
    outcomeOf: (asked) => traced('inquiry', asked.attemptId, () => gateway.outcomeOf(asked)),
  }
}
