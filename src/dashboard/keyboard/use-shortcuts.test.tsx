import { render } from 'preact'
import { expect, it, vi } from 'vitest'
import { AppContext } from '../app-context.ts'
import { createApp } from '../start-dashboard.tsx'
import { createService } from '../testing/answers.ts'
import { testBrowser } from '../testing/test-browser.ts'
import { useShortcuts } from './use-shortcuts.ts'

it('takes a key as soon as its component is in the page, before the browser has painted it', () => {
  const run = vi.fn()
  const app = createApp(testBrowser(createService({}).send))
  const List = () => {
    useShortcuts([{ key: 'j', words: 'Next', run }])
    return null
  }
  const root = document.createElement('div')
  render(
    <AppContext.Provider value={app}>
      <List />
    </AppContext.Provider>,
    root,
  )
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
  render(null, root)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
  app.stop()
  expect(run).toHaveBeenCalledOnce()
})
