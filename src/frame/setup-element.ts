import * as v from 'valibot'
import { FrameSetup, SETUP_ELEMENT_ID } from '../contract/page/frame-setup.ts'

const MESSAGE = 'The card form could not be set up. Reload the page.'

/** The set-up that the service embedded in the document. Without a valid one the form says that it can't take cards. */
export function readSetup(page: Document): FrameSetup {
  return (
    setupIn(page, FrameSetup) ?? {
      ready: false,
      language: { code: 'en', words: { closed: MESSAGE } },
      error: { code: 'system_error', message: MESSAGE },
    }
  )
}

/** The set-up in a document; null if it is missing or does not match the schema. */
export function setupIn<Setup>(page: Document, schema: v.GenericSchema<unknown, Setup>): Setup | null {
  try {
    const text = page.getElementById(SETUP_ELEMENT_ID)?.textContent ?? ''
    const { success, output } = v.safeParse(schema, JSON.parse(text))
    return success ? output : null
  } catch {
    return null
  }
}
