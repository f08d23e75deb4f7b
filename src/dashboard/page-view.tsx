import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { VNode } from 'preact'
import { Button } from './components/actions/button.tsx'
import { EmptyState } from './components/feedback/empty-state.tsx'
import { Skeleton } from './components/feedback/skeleton.tsx'
import { PageHeader } from './shell/page-header.tsx'
import { useApp } from './app-context.ts'
import type { Match, Page } from './router/route.ts'
import { appTexts } from './texts.ts'

/** The page of a route, whose code is loaded first. */
export function PageView({ match: { route, id } }: { match: Match }): VNode {
  const { browser } = useApp()
  const page = useSignal<{ Page: Page } | 'loading' | 'failed'>('loading')
  // Before the browser paints: a page whose code is there is shown at once.
  useLayoutEffect(() => {
    browser.document.title = `${route.title} · ${appTexts.product}`
    route.load().then(
      (Page) => (page.value = { Page }),
      () => (page.value = 'failed'),
    )
  }, [route])
  if (page.value === 'loading') return <Skeleton lines={6} />
  if (page.value === 'failed') {
    // Files of an older version are gone once a new one is installed.
    const reload = () => browser.window.location.reload()
    return (
      <>
        <PageHeader title={route.title} />
        <EmptyState
          icon="download"
          title={appTexts.notLoaded.title}
          action={<Button onClick={reload}>{appTexts.notLoaded.action}</Button>}
        >
          {appTexts.notLoaded.words}
        </EmptyState>
      </>
    )
  }
  const { Page } = page.value
  return <Page id={id} />
}
