import { screen } from '@testing-library/preact'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCheckoutState } from '../checkout-state.ts'
import { showTimeLeft } from './follow-session.ts'
import { createForm } from '../../form/form-view.ts'
import { readCheckoutTranslation } from '../../testing/translations.ts'
import { openCheckout, reply, SESSION } from '../testing/checkout-page.ts'

const END = Date.parse(SESSION.expires_at)

function at(secondsBefore: number, screen: 'form' | 'checking' = 'form') {
  const state = createCheckoutState()
  state.session.value = SESSION
  state.screen.value = screen
  const form = createForm({ now: () => 0, translation: readCheckoutTranslation('en') })
  let asked = 0
  showTimeLeft(state, form, END - secondsBefore * 1000, () => (asked += 1))
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

  it('is said when it begins to show and for the last minute, and not in between', () => {
    const state = createCheckoutState()
    state.session.value = SESSION
    state.screen.value = 'form'
    const form = createForm({ now: () => 0, translation: readCheckoutTranslation('en') })
    const said = [181, 180, 179, 61, 60, 59].map((left) => {
      form.announcement.value = ''
      showTimeLeft(state, form, END - left * 1000, () => undefined)
      return form.announcement.value
    })
    expect(said).toEqual(['', 'Time left to pay: 3:00', '', '', 'Time left to pay: 1:00', ''])
  })

  it('nothing is counted once a payment is on its way', () => {
    expect(at(60, 'checking')).toEqual({ left: null, asked: 0 })
  })
})

it('the time that is left follows the service’s clock, which its answer tells, whatever the device’s is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'], now: Date.parse('1970-01-02') })
  onTestFinished(() => void vi.useRealTimers())
  const headers = { date: new Date(END - 120_000).toUTCString() }
  const session = async () => new Response(await (await reply(200, SESSION)()).text(), { headers })
  await openCheckout({ sessions: [session] })
  vi.advanceTimersByTime(1000)
  expect(screen.getByRole('timer').textContent).toBe('Time left to pay: 2:00')
})
