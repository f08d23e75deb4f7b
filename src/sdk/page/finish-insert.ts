import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { knownNames } from '../settings/known-entries.ts'

/** Keys of the finish event, for pages without types. */
const KEYS = ['payment_source', 'event', 'purpose', 'message_source', 'ref_id', 'widget_id'] as const

/**
 * What to do on `finish`: write `event[key]` into every input that matches at that moment, and tell the page's
 * own scripts by `input` and `change`. Throws at once on a selector that is none.
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

/** By the prototype's own setter: a React input carries another on the element, which would hide the change. */
function fill(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input)
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }))
}
