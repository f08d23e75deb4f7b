import type { Gateway } from './gateway.ts'

/** Starts timing a request; what it returns takes the outcome's kind and ends it. */
type StartTimer = (type: string) => (outcome: string) => void

/** The same gateway, each of its answers timed: by its kind, or as `fault` where it failed. */
export function timedGateway(gateway: Gateway, startTimer: StartTimer): Gateway {
  const timed = async <Answer extends { kind: string }>(
    type: string,
    asked: Promise<Answer>,
  ): Promise<Answer> => {
    const stop = startTimer(type)
    try {
      const answer = await asked
      stop(answer.kind)
      return answer
    } catch (error) {
      stop('fault')
      throw error
    }
  }
  return {
    ...gateway,
    authorise: (operation) =>
      timed(operation.capture ? 'sale' : 'authorisation', gateway.authorise(operation)),
    capture: (operation) => timed('capture', gateway.capture(operation)),
    cancel: (operation) => timed('cancel', gateway.cancel(operation)),
    refund: (operation) => timed('refund', gateway.refund(operation)),
    outcomeOf: (...asked) => timed('inquiry', gateway.outcomeOf(...asked)),
  }
}
