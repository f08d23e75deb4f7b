import { askWithRetries } from '../../tokenise/retry.ts'
import type { Clock } from '../../tokenise/retry.ts'
import type { CheckoutSession } from '../../../contract/api/checkout-session.ts'
import { isOver } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import type { ResultScreens } from '../result/result-screens.ts'
import type { ServiceCalls, SessionOutcome } from './service-calls.ts'

interface Parts {
  clock: Clock
  readSession: ServiceCalls['readSession']
  resultScreens: ResultScreens
  /** Told of an intent that is paid or can be, each time it is read. */
  open: (session: CheckoutSession) => void
  /** Told each time there is something to show. */
  loaded: () => void
}

/** Seconds between the readings while the service can't be asked: twice as many each time, to this. */
const LONGEST_PAUSE = 30

/**
 * Makes the one that reads the intent and shows what has become of it: another page may have paid it, its time may be
 * over. One reading at a time; a fault matters only to a checkout that has nothing to show yet.
 */
export function createSessionFollower(
  state: CheckoutState,
  { clock, readSession, resultScreens, open, loaded }: Parts,
) {
  let reading: Promise<void> | null = null
  let failures = 0
  let nextAt = 0

  const take = (outcome: SessionOutcome) => {
    failures = outcome.kind === 'fault' ? failures + 1 : 0
    if (outcome.kind !== 'closed') loaded()
    nextAt = clock.elapsed() + Math.min(2 ** failures, LONGEST_PAUSE) * 1000
    if (outcome.kind === 'fault') {
      if (state.session.value === null) resultScreens.show('unreachable')
    } else if (outcome.kind === 'session') takeSession(outcome.session)
    else resultScreens.refuse(outcome)
  }
  const takeSession = (session: CheckoutSession) => {
    const { status, intent_id, charge_id } = session
    if (status === 'active' || status === 'completed') {
      state.session.value = session
      open(session)
    }
    if (status === 'completed') resultScreens.succeed({ intent_id, charge_id: charge_id ?? '' })
    else if (status === 'expired') resultScreens.refuse({ kind: 'expired' })
    else if (status === 'cancelled') resultScreens.refuse({ kind: 'closed', code: 'unfulfilled_condition' })
  }
  const read = async () => {
    const firstTime = state.session.value === null
    take(await (firstTime ? readSession(FIRST_READING_MS) : askWithRetries(readSession, clock)))
    reading = null
  }
  const refresh = (): Promise<void> => {
    if (isOver(state)) return Promise.resolve()
    return (reading ??= read())
  }
  return {
    refresh,
    /**
     * To be called each second: asks again while a payment of another page is under way and, after longer and longer
     * pauses, while the service can't be asked.
     */
    retry(): void {
      const isWaiting = state.scene.value === 'unreachable' || state.scene.value === 'checking'
      if (isWaiting && clock.elapsed() >= nextAt) void refresh()
    },
  }
}

/** The page waits for a word of this document for no more than 5 s. */
const FIRST_READING_MS = 4000

/** From here on the time that is left is shown. */
const FEW_SECONDS = 180
/** Past the end by this device's clock, the service is asked every so often: its clock counts. */
const SECONDS_BETWEEN_ASKING = 10

/** Counts the seconds that are left to pay, when called each second; at their end the service is asked. */
export function keepTime({ scene, session, secondsLeft }: CheckoutState, now: number, ask: () => void): void {
  const end = Date.parse(session.value?.expires_at ?? '')
  if (scene.value !== 'form' || Number.isNaN(end)) {
    secondsLeft.value = null
    return
  }
  const left = Math.ceil((end - now) / 1000)
  secondsLeft.value = left > 0 && left <= FEW_SECONDS ? left : null
  if (left <= 0 && left % SECONDS_BETWEEN_ASKING === 0) ask()
}
