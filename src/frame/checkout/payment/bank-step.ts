import type { Emit } from '../../page-channel.ts'
import type { Asked } from '../session/service-calls.ts'

/** After so long the service is asked what came of it, though the page has not said that its dialog is closed. */
const LONGEST_STEP_MS = 5000

/** The step of a card holder's bank, which the page around this document shows in a dialog. */
export interface BankStep {
  /** Has it shown, once, and comes back when the service is to be asked what came of it. */
  ask: (asked: Asked) => Promise<void>
  /** The dialog is closed: if the bank still waits, the next `ask` has it shown anew. */
  closed: () => void
}

export function createBankStep(emit: Emit, wait: (ms: number) => Promise<void>): BankStep {
  let shown: string | null = null
  let end: () => void = () => undefined
  return {
    ask(authentication) {
      if (shown !== authentication.id) {
        shown = authentication.id
        const { id, token } = authentication
        emit({ event: 'authenticationRequired', authentication: { id, token } })
      }
      return Promise.race([new Promise<void>((done) => (end = done)), wait(LONGEST_STEP_MS)])
    },
    closed() {
      shown = null
      end()
    },
  }
}
