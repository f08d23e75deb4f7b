import { expect, it, onTestFinished, vi } from 'vitest'
import { moveFocus, moveFocusWithin } from './move-focus.ts'

/** A document whose page around has the focus, and gives it away or does not. */
function pageThatHasFocus({ givesFocus }: { givesFocus: boolean }) {
  document.body.innerHTML = '<input id="card_number">'
  const input = document.querySelector('input')
  let isFocused = false
  const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => (isFocused = givesFocus))
  const spies = [
    focus,
    vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused),
    vi.spyOn(document, 'activeElement', 'get').mockImplementation(() => input),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return focus
}

it('the focus has moved where the page gave it, also to the field that had it last', () => {
  pageThatHasFocus({ givesFocus: true })
  expect(moveFocus(document, 'card_number')).toBe(true)
  expect(moveFocus(document, 'card_number')).toBe(false)
})

it('where a browser refuses it, it has not moved: the fault is left to be said', () => {
  pageThatHasFocus({ givesFocus: false })
  expect(moveFocus(document, 'card_number')).toBe(false)
  expect(moveFocus(document, 'no_such_field')).toBe(false)
})

it('is not taken from the page around by what comes later', () => {
  const focus = pageThatHasFocus({ givesFocus: true })
  expect(moveFocusWithin(document, 'card_number')).toBe(false)
  expect(focus).not.toHaveBeenCalled()
})
