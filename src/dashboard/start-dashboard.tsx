import { render } from 'preact'
import { Dashboard } from './app.tsx'
import type { App } from './app-context.ts'
import type { Browser } from './browser.ts'
import { computed } from '@preact/signals'
import { createApi } from './api/api.ts'
import { createToasts } from './components/feedback/toasts.ts'
import { createFormats, localeOf } from './formats/formats.ts'
import { createShortcuts } from './keyboard/shortcuts.ts'
import { createLive } from './live/live.ts'
import { createRouter } from './router/router.ts'
import { createPasswordQuestion } from './session/password-question.ts'
import { createSession, inViewIn, watchReturn } from './session/session.ts'
import { appTexts } from './texts.ts'
import { matchRoute } from './router/route.ts'
import { ROUTES } from './routes.ts'

/** Shows the dashboard in an element. The returned function takes it away. */
export function startDashboard(browser: Browser, element: HTMLElement): () => void {
  const app = createApp(browser)
  beginPage(app)
  void app.session.refresh()
  render(<Dashboard app={app} />, element)
  return () => {
    render(null, element)
    app.stop()
  }
}

/** Loads the page's code and data while the service says who is signed in. Where the code can't be loaded, the page says so when it is shown. */
function beginPage({ router, api }: App): void {
  const { path, query } = router.place.peek()
  const route = matchRoute(ROUTES, path)?.route
  if (route?.readsFirst !== undefined && query.size === 0) api.readAhead(route.readsFirst)
  route?.load().catch(() => undefined)
}

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
    drafts: new Map(),
    stop,
  }
}

/** Whether a person is using the page: has opened it, or done something with it, within the last minute. */
interface Presence {
  isThere: () => boolean
  stop: () => void
}

const MINUTE_MS = 60_000
/**
 * What only a person does. A mouse may move, and a page may scroll, by itself. Screen readers, voice control and dictation press no key
 * and no pointer: of them come `click` and `input` alone.
 */
const ACTS = ['keydown', 'pointerdown', 'click', 'input', 'wheel', 'touchmove'] as const

/** Follows what a person does with the page, from now on. */
function watchPresence({ document, now }: Pick<Browser, 'document' | 'now'>): Presence {
  let actedAt = now()
  const act = () => {
    actedAt = now()
  }
  const comeBack = () => {
    if (document.visibilityState === 'visible') act()
  }
  const options = { capture: true, passive: true } as const
  for (const type of ACTS) document.addEventListener(type, act, options)
  document.addEventListener('visibilitychange', comeBack, options)
  return {
    // In either direction: a device's clock may be set back.
    isThere: () => Math.abs(now() - actedAt) < MINUTE_MS,
    stop() {
      for (const type of ACTS) document.removeEventListener(type, act, options)
      document.removeEventListener('visibilitychange', comeBack, options)
    },
  }
}
