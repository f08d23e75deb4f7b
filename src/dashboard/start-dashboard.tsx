import { render } from 'preact'
import { Dashboard } from './app.tsx'
import type { Browser } from './browser.ts'
import { createApp } from './create-app.ts'
import { matchRoute } from './router/route.ts'
import { ROUTES } from './routes.ts'

/** Shows the dashboard in an element. The returned function takes it away. */
export function startDashboard(browser: Browser, element: HTMLElement): () => void {
  const app = createApp(browser)
  void app.session.refresh()
  loadPage(app.router.place.peek().path)
  render(<Dashboard app={app} />, element)
  return () => {
    render(null, element)
    app.stop()
  }
}

/** The page's code is on its way while the service says who is logged in. That it is missing is told where the page is shown. */
function loadPage(path: string): void {
  matchRoute(ROUTES, path)
    ?.route.load()
    .catch(() => undefined)
}
