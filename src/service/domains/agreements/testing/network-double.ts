import type { Instruction, Notice, PaymentNetwork } from '../../payment-network/payment-network.ts'

type Told = Awaited<ReturnType<PaymentNetwork['instruct']>>

/** A network in memory that answers as a test says, for faults that the sandbox does not have. */
export interface NetworkDouble {
  network: PaymentNetwork
  /** What it was told, in order, also what it did not answer. */
  told: Instruction[]
  /** How it answers an instruction from now on. */
  answerWith: (answer: (instruction: Instruction) => Told) => void
  /** What debtors did; each comes again until it is acknowledged. */
  notices: Notice[]
  acknowledged: string[]
}

export function createNetworkDouble(): NetworkDouble {
  let answer: (instruction: Instruction) => Told = () => ({ kind: 'done' })
  const told: Instruction[] = []
  const notices: Notice[] = []
  const acknowledged: string[] = []
  const isOpen = ({ id }: Notice) => !acknowledged.includes(id)
  return {
    told,
    notices,
    acknowledged,
    answerWith: (next) => {
      answer = next
    },
    network: {
      resolve: () => Promise.resolve({ kind: 'found', name: null }),
      instruct: (instruction) => {
        told.push(instruction)
        return Promise.resolve(answer(instruction))
      },
      notices: (max) => Promise.resolve(notices.filter(isOpen).slice(0, max)),
      acknowledge: (ids) => {
        acknowledged.push(...ids)
        return Promise.resolve()
      },
      pay: () => Promise.resolve({ kind: 'unreachable' }),
      outcomeOf: () => Promise.resolve({ kind: 'unreachable' }),
      check: () => Promise.resolve(),
    },
  }
}
