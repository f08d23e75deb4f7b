import type { Browser } from '../browser.ts'
import type { Session } from './session.ts'

/**
 * Asks who is logged in as soon as a person comes back to this page, by a change of tabs or by the browser's Back, which may show a page
 * as it was left: the session may have ended elsewhere since. The returned function ends that.
 */
export function watchReturn(
  { window, document }: Pick<Browser, 'window' | 'document'>,
  { state, refresh }: Session,
): () => void {
  const askAgain = () => {
    if (document.visibilityState === 'visible' && state.peek().kind === 'logged_in') void refresh()
  }
  const askIfKept = ({ persisted }: PageTransitionEvent) => {
    if (persisted) askAgain()
  }
  document.addEventListener('visibilitychange', askAgain)
  window.addEventListener('pageshow', askIfKept)
  return () => {
    document.removeEventListener('visibilitychange', askAgain)
    window.removeEventListener('pageshow', askIfKept)
  }
}
