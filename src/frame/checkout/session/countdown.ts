import { announce } from '../../form/announce.ts'
import type { Form } from '../../form/form-view.ts'
import type { CheckoutState } from '../checkout-state.ts'
import { timeLeftText } from '../checkout-words.ts'

/** From this number of seconds on, the time left is shown. */
const SHOWN_SECONDS = 180
/** From each of these numbers of seconds on, screen readers say the time left, once. */
const ANNOUNCED_SECONDS = [60, SHOWN_SECONDS]
/** An announcement is left alone for so long, so that it can be heard to its end. */
const HEARD_SECONDS = 10
/** Past the end, the service is asked at this interval: only what it says counts. */
const SECONDS_BETWEEN_CHECKS = 10

/**
 * Creates the function that updates the seconds left to pay, at `now` in ms since 1970; call it each second. It calls `refresh` once the
 * time is over.
 */
export function createCountdown(
  { screen, session, secondsLeft }: CheckoutState,
  form: Form,
  refresh: () => void,
): (now: number) => void {
  const announceTimeLeft = createTimeAnnouncer(form)
  return (now) => {
    const end = Date.parse(session.value?.expires_at ?? '')
    if (screen.value !== 'form' || Number.isNaN(end)) {
      secondsLeft.value = null
      return
    }
    const left = Math.ceil((end - now) / 1000)
    secondsLeft.value = left > 0 && left <= SHOWN_SECONDS ? left : null
    if (left > 0) announceTimeLeft(left)
    else if (left % SECONDS_BETWEEN_CHECKS === 0) refresh()
  }
}

/** Creates the function that says the time left where it is due, after what is being said, and takes it back once it was heard. */
function createTimeAnnouncer(form: Form): (left: number) => void {
  let saidFrom = Infinity
  let said = ''
  let current = ''
  let since = 0
  return (left) => {
    const text = form.announcement.peek()
    if (text !== current) since = left
    current = text
    if (text !== '' && since - left < HEARD_SECONDS) return
    if (text === said) announce(form, '')
    const from = ANNOUNCED_SECONDS.find((seconds) => left <= seconds) ?? Infinity
    if (from >= saidFrom) return
    saidFrom = from
    said = timeLeftText(form, left)
    announce(form, said)
  }
}
