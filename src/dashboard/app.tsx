import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { VNode } from 'preact'
import { inViewOf } from '../contract/dashboard/people/session-view.ts'
import type { SessionView } from '../contract/dashboard/people/session-view.ts'
import { AppContext, useApp } from './app-context.ts'
import type { App } from './app-context.ts'
import { ErrorState } from './components/feedback/error-state.tsx'
import { ToastRegion } from './components/feedback/toast-region.tsx'
import { PageShell } from './shell/page-shell.tsx'
import { Dialog } from './components/dialogs/dialog.tsx'
import type { Shortcut } from './keyboard/shortcuts.ts'
import { shortcutTexts } from './keyboard/texts.ts'
import { useShortcuts } from './keyboard/use-shortcuts.ts'
import './keyboard/shortcuts-dialog.css'
import { NotFoundPage } from './pages/not-found/not-found-page.tsx'
import { useSignal } from '@preact/signals'
import { Button } from './components/actions/button.tsx'
import { EmptyState } from './components/feedback/empty-state.tsx'
import { Skeleton } from './components/feedback/skeleton.tsx'
import { PageHeader } from './shell/page-header.tsx'
import type { Match, Page } from './router/route.ts'
import { appTexts } from './texts.ts'
import { matchRoute } from './router/route.ts'
import { ROUTES } from './routes.ts'
import { ConfirmedView } from '../contract/dashboard/people/sign-in.ts'
import { requiredFault } from './components/form/checks.ts'
import { Form } from './components/form/form.tsx'
import { PasswordField } from './components/form/password-field.tsx'
import { useForm } from './components/form/use-form.ts'

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

/** The page of a route, whose code is loaded first. */
function PageView({ match: { route, id } }: { match: Match }): VNode {
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

/** Keys of the browser itself that work here, too. */
const NATIVE = [
  { key: 'Enter', words: shortcutTexts.open },
  { key: 'Esc', words: shortcutTexts.close },
]

/** The list of the page's shortcuts, which `?` opens. */
function ShortcutsDialog(): VNode | null {
  const { isListOpen, isOn, all } = useApp().shortcuts
  useShortcuts([{ key: '?', words: shortcutTexts.show, run: () => (isListOpen.value = true) }])
  if (!isListOpen.value) return null
  return (
    <Dialog title={shortcutTexts.title} close={() => (isListOpen.value = false)}>
      <dl class="shortcuts">
        {[...rowsOf(all.value), ...NATIVE].map(({ key, words }) => (
          <div key={key}>
            <dt>{words}</dt>
            <dd>
              {key.split(' ').map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div class="checkbox">
        <input
          id="shortcuts-on"
          type="checkbox"
          aria-describedby="shortcuts-on-hint"
          checked={isOn.value}
          onChange={(event) => (isOn.value = event.currentTarget.checked)}
        />
        <label for="shortcuts-on">{shortcutTexts.isOn}</label>
        <p class="hint" id="shortcuts-on-hint">
          {shortcutTexts.isOnHint}
        </p>
      </div>
    </Dialog>
  )
}

const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' }

/** Shortcuts that do the same stand in one row. */
function rowsOf(shortcuts: readonly Shortcut[]): { key: string; words: string }[] {
  const keys = new Map<string, Set<string>>()
  for (const { key, words } of shortcuts)
    keys.set(words, (keys.get(words) ?? new Set()).add(NAMES[key] ?? key))
  return [...keys].map(([words, names]) => ({ words, key: [...names].join(' ') }))
}

const texts = {
  title: 'Confirm your password',
  explanation:
    'This act concerns keys or access, so we ask for your password. It is not asked for again for ten minutes.',
  password: 'Password',
  submit: 'Confirm',
  cancel: 'Cancel',
} as const

/** Asks for the password while `passwordQuestion` is open. */
function PasswordDialog(): VNode | null {
  return useApp().passwordQuestion.isOpen.value ? <PasswordForm /> : null
}

function PasswordForm(): VNode {
  const { api, passwordQuestion } = useApp()
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: requiredFault(password) }),
    async send({ password }) {
      const outcome = await api.change({
        method: 'POST',
        path: '/api/session/confirm',
        body: { password },
        answer: ConfirmedView,
      })
      if (outcome.kind === 'failed') return outcome.failure
      passwordQuestion.close(true)
      return null
    },
  })
  const cancel = () => passwordQuestion.close(false)
  return (
    <Dialog title={texts.title} close={cancel}>
      <p class="soft">{texts.explanation}</p>
      <Form form={form} submit={texts.submit} actions={<Button onClick={cancel}>{texts.cancel}</Button>}>
        <PasswordField form={form} name="password" label={texts.password} />
      </Form>
    </Dialog>
  )
}
