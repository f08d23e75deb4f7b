import type { FinishEvent } from '../contract/widget-event.ts'
import { warn } from './warn.ts'

/** Keys of the finish event, for pages without types. */
const KEYS = {
  event: true,
  purpose: true,
  message_source: true,
  ref_id: true,
  widget_id: true,
  payment_source: true,
} satisfies Record<keyof FinishEvent, true>

/**
 * What to do on `finish`: write `event[key]` into every input that matches at that moment, and tell the page's
 * own scripts by `input` and `change`. Throws at once on a selector that is none.
 */
export function finishInsert(selector: string, key: keyof FinishEvent): (event: FinishEvent) => void {
  document.querySelector(selector)
  if (!(key in KEYS)) {
    warn(`onFinishInsert: no key "${key}" in the finish event. Known: ${Object.keys(KEYS).join(', ')}.`)
    return () => undefined
  }
  return (event) => {
    for (const input of document.querySelectorAll(selector)) {
      if (input instanceof HTMLInputElement) fill(input, event[key])
    }
  }
}

/** By the prototype's own setter: a React input carries another on the element, which would hide the change. */
function fill(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input)
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }))
}
