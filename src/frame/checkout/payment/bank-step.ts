import type { Emit } from '../../page-channel.ts'
import type { Asked, ServiceCalls } from '../session/service-calls.ts'

/** After so long the service is asked what came of it, though the page has not said that its dialog is closed. */
const LONGEST_STEP_MS = 5000

/** After so many dialogs that could not be shown, each of which is waited for, it is given up, so that another card can be tried. */
const MOST_FAILURES = 2

/** The step of a card holder's bank, which the page around this document shows in a dialog. */
export interface BankStep {
  /** Has it shown, once, and comes back when the service is to be asked what came of it. */
  ask: (asked: Asked) => Promise<void>
  /** The dialog is closed, or could not be shown: if the bank still waits, the next `ask` has it shown anew. */
  closed: (wasShown: boolean) => Promise<void>
}

interface BankStepParts {
  emit: Emit
  giveUp: ServiceCalls['giveUp']
  wait: (ms: number) => Promise<void>
}

export function createBankStep({ emit, giveUp, wait }: BankStepParts): BankStep {
  let shown: Asked | null = null
  let failures = 0
  let end: () => void = () => undefined
  return {
    ask(authentication) {
      if (shown?.id !== authentication.id) {
        shown = authentication
        const { id, token } = authentication
        emit({ event: 'authenticationRequired', authentication: { id, token } })
      }
      return Promise.race([new Promise<void>((done) => (end = done)), wait(LONGEST_STEP_MS)])
    },
    async closed(wasShown) {
      failures = wasShown ? 0 : failures + 1
      if (shown !== null && failures >= MOST_FAILURES) {
        failures = 0
        await giveUp(shown)
      }
      shown = null
      end()
    },
  }
}
