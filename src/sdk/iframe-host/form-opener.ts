import { FrameSession } from './frame-session.ts'
import type { FormSession, SessionCallbacks } from './frame-session.ts'
import type { FrameTarget } from './frame-element.ts'

/** Opens a form in the page: in an iframe, or in a test as plain inputs. */
export type OpenSession = (target: FrameTarget, callbacks: SessionCallbacks) => FormSession

/** How forms are opened. `origin`: fixed where nothing is fetched from it. */
export interface FormOpener {
  open: OpenSession
  origin?: string
}

const IN_FRAME: FormOpener = { open: (target, callbacks) => new FrameSession(target, callbacks) }

let common = IN_FRAME

/** How every form is opened that has no opener of its own. */
export function commonOpener(): FormOpener {
  return common
}

/** For the test double: opens every form otherwise, also those that components make; null: in a frame again. */
export function openAllWith(opener: FormOpener | null): void {
  common = opener ?? IN_FRAME
}
