import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { reportInConsole } from '../iframe-host/report-in-console.ts'
import { rootsAround } from './page-input.ts'
import { knownNames } from '../settings/merchant-input.ts'

/** Keys of the finish event, for pages without types. */
const KEYS = ['payment_source', 'event', 'purpose', 'message_source', 'ref_id', 'widget_id'] as const

/**
 * Returns a handler for `finish` that writes `event[key]` into every input that matches then, in the document and in the shadow
 * tree around `container`, and fires `input` and `change` on it. That none matches is a line in the console. Throws at once on an
 * invalid selector.
 */
export function finishInsert(
  selector: string,
  key: keyof FinishEvent,
  container: string | Element,
): (event: FinishEvent) => void {
  document.querySelector(selector)
  const known = knownNames('finish keys', KEYS, [key])
  return (event) => {
    const found = rootsAround(container).flatMap((root) => [...root.querySelectorAll(selector)])
    const inputs = found.filter((element) => element instanceof HTMLInputElement)
    for (const input of inputs) for (const name of known) fill(input, event[name])
    if (inputs.length === 0)
      reportInConsole({ code: 'no_input', message: `onFinishInsert: no input matches '${selector}'.` })
  }
}

/** Uses the prototype's setter: React puts its own setter on the element, which would hide the change. */
function fill(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input)
  for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }))
}
