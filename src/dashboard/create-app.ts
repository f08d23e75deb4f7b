import { computed } from '@preact/signals'
import { createApi } from './api/api.ts'
import type { App } from './app-context.ts'
import type { Browser } from './browser.ts'
import { createToasts } from './components/feedback/toasts.ts'
import { createFormats, localeOf } from './formats/formats.ts'
import { createShortcuts } from './keyboard/shortcuts.ts'
import { createLive } from './live/live.ts'
import { createRouter } from './router/router.ts'
import { createPasswordQuestion } from './session/password-question.ts'
import { watchPresence } from './session/presence.ts'
import { createSession, inViewIn, watchReturn } from './session/session.ts'
import { appTexts } from './texts.ts'

/** Puts the app together from what a browser gives. `stop` takes its listeners away. */
export function createApp(browser: Browser): App & { stop: () => void } {
  const router = createRouter(browser.window)
  const shortcuts = createShortcuts(browser.document)
  const passwordQuestion = createPasswordQuestion()
  const toasts = createToasts()
  const presence = watchPresence(browser)
  const api = createApi({
    browser,
    isAttended: presence.isThere,
    inView: () => inViewIn(session.state.peek()),
    confirmPassword: passwordQuestion.ask,
    // A wrong password is refused as a wrong session is: only the session itself tells which of them it was.
    checkSession: () => void checkSession(),
  })
  const session = createSession(api.read)
  /** Asks again who is signed in, and says so where another window has put another merchant or person into view. */
  const checkSession = async () => {
    if (session.state.peek().kind !== 'signed_in') return
    const before = inViewIn(await session.refresh())
    const now = inViewIn(session.state.peek())
    if (before !== null && now !== null && now !== before) toasts.show(appTexts.otherInView, { tone: 'bad' })
  }
  const live = createLive(browser, () => void checkSession())
  const stopWatching = watchReturn(browser, () => void checkSession())
  const locale = localeOf(browser.languages)
  const formats = computed(() => {
    const state = session.state.value
    const timeZone = state.kind === 'signed_in' ? state.view.time_zone : browser.timeZone()
    return createFormats({ locale, timeZone, now: browser.now })
  })
  const stop = () => {
    router.stop()
    shortcuts.stop()
    stopWatching()
    presence.stop()
  }
  return {
    browser,
    api,
    router,
    session,
    passwordQuestion,
    toasts,
    shortcuts,
    live,
    formats,
    stop,
  }
}
