import type { Browser } from '../browser.ts'
import { announce } from '../form/announce.ts'
import { wordsOf } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'

/** So long people wait for a payment before they wonder. */
const USUAL_MS = 7000

/** Does work that the form waits for. If it takes longer than usual, the button says so, as long as the form is what is shown. */
export async function withSlowNotice<Result>(
  form: Form,
  after: Browser['after'],
  work: () => Promise<Result>,
  isShown = () => true,
): Promise<Result> {
  const cancel = after(USUAL_MS, () => {
    if (!isShown()) return
    form.isSlow.value = true
    announce(form, wordsOf(form, 'slow'))
  })
  try {
    return await work()
  } finally {
    cancel()
    form.isSlow.value = false
  }
}
