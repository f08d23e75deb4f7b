import { render } from 'preact'
import { Dashboard } from './app.tsx'
import type { App } from './app-context.ts'
import type { Browser } from './browser.ts'
import { createApp } from './create-app.ts'
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
