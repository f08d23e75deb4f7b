import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ReadonlySignal } from '@preact/signals'
import type { Api } from './api/api.ts'
import type { Browser } from './browser.ts'
import type { Toasts } from './components/feedback/toasts.ts'
import type { PasswordQuestion } from './session/password-question.ts'
import type { Formats } from './formats/formats.ts'
import type { Shortcuts } from './keyboard/shortcuts.ts'
import type { Live } from './live/live.ts'
import type { Router } from './router/router.ts'
import type { Session } from './session/session.ts'

/** What every page can reach, by `useApp`. */
export interface App {
  browser: Browser
  api: Api
  router: Router
  session: Session
  passwordQuestion: PasswordQuestion
  toasts: Toasts
  shortcuts: Shortcuts
  live: Live
  formats: ReadonlySignal<Formats>
  /** Long texts that were begun and not sent, by whose and what they are; a reload forgets them. */
  drafts: Map<string, string>
}

export const AppContext = createContext<App | null>(null)

/** The app that a component is part of. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('no AppContext around this component')
  return app
}

/** How numbers and times are written for the person who is signed in. */
export function useFormats(): Formats {
  return useApp().formats.value
}
