import type { Gateway, GatewayAnswer } from '../src/service/domains/gateways/gateway.ts'

/** Approves everything at once, so that what is measured is the service. */
export function createInstantGateway(): Gateway {
  const approve = ({ attemptId }: { attemptId: string }): Promise<GatewayAnswer> =>
    Promise.resolve({
      kind: 'approved',
      code: '00',
      description: 'Approved',
      externalId: attemptId,
      externalReference: '000000000000',
      holdSeconds: 604_800,
    })
  return {
    sell: approve,
    capture: approve,
    cancel: approve,
    refund: approve,
    outcomeOf: () => Promise.resolve({ kind: 'not_received' }),
  }
}
