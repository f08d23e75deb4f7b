import { screen } from '@testing-library/preact'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCheckoutState } from '../checkout-state.ts'
import { createCountdown } from '../start-checkout.tsx'
import { createForm } from '../../form/form-view.ts'
import { readCheckoutTranslation } from '../../testing/translations.ts'
import { openCheckout, reply, SESSION } from '../testing/checkout-page.ts'

const END = Date.parse(SESSION.expires_at)

/** A checkout whose form is shown; `at` counts on to some seconds before its end, and returns what is said by then. */
function countdown() {
  const state = createCheckoutState()
  state.session.value = SESSION
  state.screen.value = 'form'
  const form = createForm({ now: () => 0, translation: readCheckoutTranslation('en') })
  const refresh = vi.fn()
  const countDown = createCountdown(state, form, refresh)
  const at = (secondsBefore: number) => {
    countDown(END - secondsBefore * 1000)
    return form.announcement.value
  }
  return { state, form, refresh, at }
}

function shownAt(secondsBefore: number) {
  const { state, refresh, at } = countdown()
  at(secondsBefore)
  return { left: state.secondsLeft.value, asked: refresh.mock.calls.length }
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
    expect(shownAt(before)).toEqual({ left, asked })
  })

  it('is said when it begins to show and for the last minute, and taken back once it was heard', () => {
    const { at } = countdown()
    expect([181, 180, 179, 170, 169, 61, 60, 59, 49].map(at)).toEqual([
      '',
      'Time left to pay: 3:00',
      'Time left to pay: 3:00',
      'Time left to pay: 3:00',
      '',
      '',
      'Time left to pay: 1:00',
      'Time left to pay: 1:00',
      '',
    ])
  })

  it('is not said again when the form comes back', () => {
    const { state, form, at } = countdown()
    at(180)
    state.screen.value = 'checking'
    form.announcement.value = ''
    expect([at(150), state.secondsLeft.value]).toEqual(['', null])
    state.screen.value = 'form'
    expect([at(140), state.secondsLeft.value]).toEqual(['', 140])
  })

  it('waits until what is being said was heard', () => {
    const { form, at } = countdown()
    at(62)
    form.announcement.value = 'Your bank declined this payment.'
    expect([61, 60, 52].map(at)).toEqual(Array.from({ length: 3 }, () => 'Your bank declined this payment.'))
    expect(at(51)).toBe('Time left to pay: 0:51')
    form.announcement.value = 'Enter the security code.'
    expect(at(20)).toBe('Enter the security code.')
  })
})

it('the time that is left follows the service’s clock, whatever the device’s is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'], now: Date.parse('1970-01-02') })
  onTestFinished(() => void vi.useRealTimers())
  const headers = { date: new Date(END - 120_000).toUTCString() }
  const session = async () => new Response(await (await reply(200, SESSION)()).text(), { headers })
  await openCheckout({ sessions: [session] })
  vi.advanceTimersByTime(1000)
  expect(screen.getByRole('timer').textContent).toBe('Time left to pay: 2:00')
})
