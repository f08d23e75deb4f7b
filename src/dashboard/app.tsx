import { useEffect } from 'preact/hooks'
import type { VNode } from 'preact'
import { inViewOf } from '../contract/dashboard/people/session-view.ts'
import type { SessionView } from '../contract/dashboard/people/session-view.ts'
import { AppContext, useApp } from './app-context.ts'
import type { App } from './app-context.ts'
import { ErrorState } from './components/feedback/error-state.tsx'
import { ToastRegion } from './components/feedback/toast-region.tsx'
import { PageShell } from './shell/page-shell.tsx'
import { ShortcutsDialog } from './keyboard/shortcuts-dialog.tsx'
import { NotFoundPage } from './pages/not-found/not-found-page.tsx'
import { PageView } from './page-view.tsx'
import { matchRoute } from './router/route.ts'
import type { Match } from './router/route.ts'
import { ROUTES } from './routes.ts'
import { PasswordDialog } from './session/password-dialog.tsx'
import { appTexts } from './texts.ts'

/** The whole dashboard. */
export function Dashboard({ app }: { app: App }): VNode {
  return (
    <AppContext.Provider value={app}>
      <Content />
      <ShortcutsDialog />
      <PasswordDialog />
      <ToastRegion />
    </AppContext.Provider>
  )
}

/** The page of the address, or the sign-in in front of it. */
function Content(): VNode | null {
  const { router, session } = useApp()
  const { path } = router.place.value
  const state = session.state.value
  const match = matchRoute(ROUTES, path)
  if (match?.route.isPublic === true) return <PageView key={path} match={match} />
  if (state.kind === 'loading') return null
  if (state.kind === 'failed')
    return (
      <main>
        <h1 class="unseen">{appTexts.product}</h1>
        <ErrorState failure={state.failure} retry={() => void session.refresh()} />
      </main>
    )
  return state.kind === 'signed_out' ? <ToSignIn /> : <Inside view={state.view} path={path} match={match} />
}

/** Goes to the sign-in, which leads back to where the person wanted to be. */
function ToSignIn(): null {
  const { router, browser } = useApp()
  useEffect(() => {
    const { pathname, search } = browser.window.location
    const next = pathname + search
    router.go(next === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next }).toString()}`, {
      replace: true,
    })
  }, [])
  return null
}

interface InsideProps {
  view: SessionView
  path: string
  match: Match | null
}

/** A page of a person who is signed in. Another person, merchant or thing is another page, so that nothing of the last is left. */
function Inside({ view, path, match }: InsideProps): VNode {
  return (
    <PageShell key={inViewOf(view.user.id, view.merchant.id)} view={view}>
      {match === null ? <NotFoundPage /> : <PageView key={path} match={match} />}
    </PageShell>
  )
}
