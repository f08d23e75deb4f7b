import type { PaymentNetwork } from './payment-network.ts'

/** In place of a network where an installation has none: nothing can be reached. */
export const noNetwork: PaymentNetwork = {
  resolve: () => Promise.resolve({ kind: 'unreachable' }),
  instruct: () => Promise.resolve({ kind: 'unreachable' }),
  notices: () => Promise.resolve([]),
  acknowledge: () => Promise.resolve(),
  pay: () => Promise.resolve({ kind: 'unreachable' }),
  outcomeOf: () => Promise.resolve({ kind: 'unreachable' }),
  check: () => Promise.reject(new Error('this installation has no payment network')),
}
