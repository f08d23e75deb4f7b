import { describe, expect, it } from 'vitest'
import { noNetwork } from './payment-network.ts'
import type { PaymentNetwork } from './payment-network.ts'
import { creationFor, orderFor, patient } from './testing/network-bed.ts'
import { timedNetwork } from './domain.ts'

const debtor = {
  name: 'Grace',
  type: 'person',
  pay_id: { type: 'EMAIL', value: 'grace@example.com' },
} as const

const calls: [string, (network: PaymentNetwork, signal: AbortSignal) => Promise<unknown>][] = [
  ['resolve', (network, signal) => network.resolve({ payId: debtor.pay_id }, signal)],
  ['instruct', (network, signal) => network.instruct(creationFor(debtor), signal)],
  ['pay', (network, signal) => network.pay(orderFor('agreement'), signal)],
  ['inquiry', (network, signal) => network.outcomeOf('payment', signal)],
  ['notices', (network, signal) => network.notices(10, signal)],
  ['acknowledge', (network, signal) => network.acknowledge(['notice'], signal)],
  ['check', (network) => network.check()],
]

/** Every method ends as `end` does, which gets the call's signal. */
function networkThat(end: (signal?: AbortSignal) => Promise<never>): PaymentNetwork {
  return {
    resolve: (_, signal) => end(signal),
    instruct: (_, signal) => end(signal),
    notices: (_, signal) => end(signal),
    acknowledge: (_, signal) => end(signal),
    pay: (_, signal) => end(signal),
    outcomeOf: (_, signal) => end(signal),
    check: () => end(),
  }
}

function watched(network: PaymentNetwork) {
  const [timed, faults]: [string[], unknown[]] = [[], []]
  const made = timedNetwork(network, {
    timeoutMs: 30,
    startTimer: (call) => (outcome) => timed.push(`${call} ${outcome}`),
    onFault: (error) => faults.push(error),
  })
  return { network: made, timed, faults }
}

/** What a call came to: its answer, or that it was rejected. */
const endOf = (asked: Promise<unknown>) => asked.catch(() => 'rejected')
const noAnswer = (call: string) =>
  ['notices', 'acknowledge', 'check'].includes(call) ? 'rejected' : { kind: 'unknown' }

describe('a call to the payment network', () => {
  it.each(calls)('%s ends if the network is silent, and the network is told', async (call, ask) => {
    const signals: (AbortSignal | undefined)[] = []
    const bed = watched(networkThat((signal) => new Promise(() => signals.push(signal))))
    expect(await endOf(ask(bed.network, patient()))).toEqual(noAnswer(call))
    expect(bed.timed).toEqual([`${call} late`])
    expect(signals[0]?.aborted ?? true).toBe(true)
  })

  it.each(calls)('%s ends though the adapter throws', async (call, ask) => {
    const fail = () => {
      throw new Error('broken adapter')
    }
    for (const broken of [() => Promise.reject(new Error('broken adapter')), fail]) {
      const bed = watched(networkThat(broken))
      expect(await endOf(ask(bed.network, patient()))).toEqual(noAnswer(call))
      expect(bed.timed).toEqual([`${call} fault`])
      if (noAnswer(call) !== 'rejected') expect(bed.faults).toMatchObject([{ message: 'broken adapter' }])
    }
  })

  it('tells the network when its caller has stopped waiting', async () => {
    const gone = new AbortController()
    const bed = watched({
      ...noNetwork,
      pay: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'unknown' }))),
    })
    const paid = bed.network.pay(orderFor('agreement'), gone.signal)
    gone.abort()
    expect(await paid).toEqual({ kind: 'unknown' })
    expect(bed.timed).toEqual(['pay unknown'])
  })

  it('is timed by its outcome', async () => {
    const bed = watched(noNetwork)
    for (const [, ask] of calls) await endOf(ask(bed.network, patient()))
    const found = ['resolve', 'instruct', 'pay', 'inquiry'].map((call) => `${call} unreachable`)
    expect(bed.timed).toEqual([...found, 'notices done', 'acknowledge done', 'check fault'])
  })
})
