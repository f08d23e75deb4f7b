import type { CheckoutState } from '../checkout-state.ts'

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
