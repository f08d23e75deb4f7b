import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { knownNames } from '../settings/merchant-input.ts'

/** Keys of the finish event, for pages without types. */
const KEYS = ['payment_source', 'event', 'purpose', 'message_source', 'ref_id', 'widget_id'] as const

/**
 * Returns a handler for `finish` that writes `event[key]` into every input that matches then, and fires `input` and `change`
 * on it. Throws at once on an invalid selector.
 */
export function finishInsert(selector: string, key: keyof FinishEvent): (event: FinishEvent) => void {
  document.querySelector(selector)
  const known = knownNames('finish keys', KEYS, [key])
  return (event) => {
    for (const input of document.querySelectorAll(selector)) {
      if (input instanceof HTMLInputElement) for (const name of known) fill(input, event[name])
    }
  }
}

/** Uses the prototype's setter: React puts its own setter on the element, which would hide the change. */
function fill(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input)
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }))
}
