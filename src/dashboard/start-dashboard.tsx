import { render } from 'preact'
import { Dashboard } from './app.tsx'
import type { Browser } from './browser.ts'
import { createApp } from './create-app.ts'

/** Shows the dashboard in an element. The returned function takes it away. */
export function startDashboard(browser: Browser, element: HTMLElement): () => void {
  const app = createApp(browser)
  void app.session.refresh()
  render(<Dashboard app={app} />, element)
  return () => {
    render(null, element)
    app.stop()
  }
}
