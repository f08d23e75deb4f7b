import * as v from 'valibot'
import { FrameSetup, SETUP_ELEMENT_ID } from '../contract/frame-setup.ts'

const MESSAGE = 'The card form could not be set up. Reload the page.'

/** The set-up that the service embedded in the document. A document without one can't take cards, and says so. */
export function readSetup(page: Document): FrameSetup {
  try {
    const { success, output } = v.safeParse(
      FrameSetup,
      JSON.parse(page.getElementById(SETUP_ELEMENT_ID)?.textContent ?? ''),
    )
    if (success) return output
  } catch {
    // What is no JSON is no set-up either.
  }
  return {
    ready: false,
    language: { code: 'en', words: { closed: MESSAGE } },
    error: { code: 'system_error', message: MESSAGE },
  }
}
