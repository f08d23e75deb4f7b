import type { Instruction, Notice, PaymentNetwork } from '../../payment-network/payment-network.ts'

type Told = Awaited<ReturnType<PaymentNetwork['instruct']>>
type Paid = Awaited<ReturnType<PaymentNetwork['pay']>>

/** A network in memory that answers as a test says, for faults that the sandbox does not have. */
export interface NetworkDouble {
  network: PaymentNetwork
  /** What it was told, in order, also what it did not answer. */
  told: Instruction[]
  /** The kinds of instructions, and `pay` for each payment, in the order in which they arrived. */
  arrived: string[]
  /** How it answers an instruction from now on. */
  answerWith: (answer: (instruction: Instruction) => Told) => void
  /** How it answers a payment from now on, and a question for its outcome. */
  payWith: (answer: Paid) => void
  /** What debtors did; each comes again until it is acknowledged. */
  notices: Notice[]
  acknowledged: string[]
}

export function createNetworkDouble(): NetworkDouble {
  let answer: (instruction: Instruction) => Told = () => ({ kind: 'done' })
  let paid: Paid = { kind: 'unreachable' }
  const told: Instruction[] = []
  const arrived: string[] = []
  const notices: Notice[] = []
  const acknowledged: string[] = []
  const isOpen = ({ id }: Notice) => !acknowledged.includes(id)
  return {
    told,
    arrived,
    notices,
    acknowledged,
    answerWith: (next) => {
      answer = next
    },
    payWith: (next) => {
      paid = next
    },
    network: {
      resolve: () => Promise.resolve({ kind: 'found', name: null }),
      instruct: (instruction) => {
        told.push(instruction)
        arrived.push(instruction.kind)
        return Promise.resolve(answer(instruction))
      },
      notices: (max) => Promise.resolve(notices.filter(isOpen).slice(0, max)),
      acknowledge: (ids) => {
        acknowledged.push(...ids)
        return Promise.resolve()
      },
      pay: () => {
        arrived.push('pay')
        return Promise.resolve(paid)
      },
      outcomeOf: () => Promise.resolve(paid),
      check: () => Promise.resolve(),
    },
  }
}
