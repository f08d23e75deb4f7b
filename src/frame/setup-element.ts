import * as v from 'valibot'
import { FrameSetup, SETUP_ELEMENT_ID } from '../contract/frame-setup.ts'

const SetupText = v.pipe(v.string(), v.parseJson(), FrameSetup)

/** The set-up that the service embedded in the document. A document without one can't take cards, and says so. */
export function readSetup(page: Document): FrameSetup {
  const { success, output } = v.safeParse(SetupText, page.getElementById(SETUP_ELEMENT_ID)?.textContent)
  if (success) return output
  return {
    ready: false,
    error: { code: 'system_error', message: 'The card form could not be set up. Reload the page.' },
  }
}
