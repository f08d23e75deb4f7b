import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { AuthenticationSession } from '../../contract/api/charges/authentication.ts'
import type { Translation } from '../language/translation.ts'
import type { AuthenticationWordName } from './authentication-word-names.ts'

/**
 * What the document shows. waiting: for the bank, or for the service to say what came of it. bank: the bank's page. All others are final;
 * closed: the service no longer tells, or never did.
 */
export type Screen = 'waiting' | 'bank' | 'done' | 'failed' | 'timed_out' | 'cancelled' | 'closed'

/** What is said below that. slow: it takes longer than usual; blank: what to do if the bank's page shows nothing. */
export type Notice = 'slow' | 'offline' | 'unreachable' | 'blank'

export interface AuthenticationState {
  screen: Signal<Screen>
  notice: Signal<Notice | null>
  /** As it was last read; null before. */
  session: Signal<AuthenticationSession | null>
  /** Whether the card holder is being asked if they want to give up. */
  asksToCancel: Signal<boolean>
  /** Whether they do, and the service is being told. */
  isGivingUp: Signal<boolean>
  /** Whether anything came from the bank for its frame. */
  hasBankAnswered: Signal<boolean>
  translation: Signal<Translation>
}

export function createAuthenticationState(translation: Translation): AuthenticationState {
  return {
    screen: signal<Screen>('waiting'),
    notice: signal<Notice | null>(null),
    session: signal<AuthenticationSession | null>(null),
    asksToCancel: signal(false),
    isGivingUp: signal(false),
    hasBankAnswered: signal(false),
    translation: signal(translation),
  }
}

/** Whether nothing follows. */
export function isFinal(screen: Screen): boolean {
  return screen !== 'waiting' && screen !== 'bank'
}

/** A text in the document's language. */
export function wordsOf({ translation }: AuthenticationState, name: AuthenticationWordName): string {
  return translation.value.words[name] ?? ''
}
