import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'

/** The question for the password that the service asks before some acts. */
export interface PasswordQuestion {
  isOpen: ReadonlySignal<boolean>
  /** Opens the question; whether the password was confirmed. */
  ask: () => Promise<boolean>
  /** Closes the question with its answer. */
  close: (isConfirmed: boolean) => void
}

/** Creates the question. Several acts that wait for it get the same answer. */
export function createPasswordQuestion(): PasswordQuestion {
  const isOpen = signal(false)
  let waiting: ((isConfirmed: boolean) => void)[] = []
  return {
    isOpen,
    ask: () => {
      isOpen.value = true
      return new Promise((answer) => waiting.push(answer))
    },
    close: (isConfirmed) => {
      isOpen.value = false
      const answers = waiting
      waiting = []
      for (const answer of answers) answer(isConfirmed)
    },
  }
}
