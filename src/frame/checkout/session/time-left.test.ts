import { describe, expect, it } from 'vitest'
import { createCheckoutState } from '../checkout-state.ts'
import { showTimeLeft } from './follow-session.ts'
import { SESSION } from '../testing/checkout-page.ts'

const END = Date.parse(SESSION.expires_at)

function at(secondsBefore: number, screen: 'form' | 'checking' = 'form') {
  const state = createCheckoutState()
  state.session.value = SESSION
  state.screen.value = screen
  let asked = 0
  showTimeLeft(state, END - secondsBefore * 1000, () => (asked += 1))
  return { left: state.secondsLeft.value, asked }
}

describe('the time that is left to pay', () => {
  it.each([
    ['long before the end nothing is said', 181, null, 0],
    ['the last minutes are counted', 180, 180, 0],
    ['to the last second', 1, 1, 0],
    ['at the end the service is asked', 0, null, 1],
    ['a clock ahead of the service’s asks now and then', -10, null, 1],
    ['and not each second', -5, null, 0],
  ])('%s', (_, before, left, asked) => {
    expect(at(before)).toEqual({ left, asked })
  })

  it('nothing is counted once a payment is on its way', () => {
    expect(at(60, 'checking')).toEqual({ left: null, asked: 0 })
  })
})
