import { cleanup, render } from '@testing-library/preact'
import type { ComponentChild } from 'preact'
import { onTestFinished } from 'vitest'
import { AppContext } from '../app-context.ts'
import { createApp } from '../start-dashboard.tsx'
import { createService } from './answers.ts'
import type { Answers } from './answers.ts'
import { testBrowser } from './test-browser.ts'

interface RenderOptions {
  /** Where the person is. */
  address?: string
  answers?: Answers
}

/** Renders a component inside of an app, in front of a service that gives `answers`. */
export function renderInApp(child: ComponentChild, { address = '/', answers = {} }: RenderOptions = {}) {
  window.history.replaceState(null, '', address)
  // Removes what tests outside of the dashboard have left in the document.
  document.body.replaceChildren()
  const { send, sent } = createService(answers)
  const app = createApp(testBrowser(send))
  onTestFinished(() => {
    cleanup()
    app.stop()
  })
  render(<AppContext.Provider value={app}>{child}</AppContext.Provider>)
  return { app, sent }
}
