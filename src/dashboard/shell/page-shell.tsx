import type { ComponentChildren, VNode } from 'preact'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../components/icon.tsx'
import type { Route } from '../router/route.ts'
import { ROUTES } from '../routes.ts'
import { MENU_GROUPS } from './menu-group.ts'
import { shellTexts, groupTexts } from './texts.ts'
import './side-navigation.css'
import * as v from 'valibot'
import { shortcutTexts } from '../keyboard/texts.ts'
import './top-bar.css'
import './page-shell.css'

interface PageShellProps {
  view: SessionView
  children: ComponentChildren
}

/** What is around every page of a person who is signed in. */
export function PageShell({ view, children }: PageShellProps): VNode {
  return (
    <div class="page-shell">
      <a class="skip" href="#main">
        {shellTexts.skip}
      </a>
      <TopBar view={view} />
      <SideNavigation />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** Which merchant, in which environment, and who is looking. */
function TopBar({ view }: { view: SessionView }): VNode {
  const { merchant, environment } = view
  const environments: Readonly<Record<string, string>> = shellTexts.environments
  return (
    <header class="top-bar">
      <button
        type="button"
        class="button quiet icon-only menu-button"
        popovertarget={NAVIGATION_ID}
        aria-label={shellTexts.openMenu}
      >
        <Icon name="menu" />
      </button>
      <a class="brand" href="/">
        <span class="brand-mark" aria-hidden="true">
          {merchant.name.charAt(0)}
        </span>
        <span class="brand-name">{merchant.name}</span>
      </a>
      {environment !== 'production' && (
        <span class="environment">{environments[environment] ?? environment}</span>
      )}
      <UserMenu view={view} />
    </header>
  )
}

/** The id that the top bar's button names: it opens the navigation on a narrow screen. */
const NAVIGATION_ID = 'navigation'

/** The pages of the menu: beside the page on a wide screen, over it on a narrow one. */
function SideNavigation(): VNode {
  const { router } = useApp()
  const { path } = router.place.value
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.hidePopover(), [path])
  return (
    <nav
      ref={element}
      id={NAVIGATION_ID}
      class="side-navigation"
      popover="auto"
      aria-label={shellTexts.pages}
    >
      {MENU_GROUPS.map((group) => {
        const routes = ROUTES.filter(({ menu }) => menu?.group === group)
        if (routes.length === 0) return null
        return (
          <div key={group} class="menu-group">
            {groupTexts[group] !== '' && <h2>{groupTexts[group]}</h2>}
            <ul>
              {routes.map((route) => (
                <li key={route.path}>
                  <MenuLink route={route} isCurrent={isWithin(route.path, path)} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

function MenuLink({ route, isCurrent }: { route: Route; isCurrent: boolean }): VNode {
  return (
    <a
      href={route.path}
      aria-current={isCurrent ? 'page' : undefined}
      // Loads the page's code before the click.
      onPointerEnter={() => void route.load().catch(() => undefined)}
    >
      {route.menu && <Icon name={route.menu.icon} />}
      {route.title}
    </a>
  )
}

/** Whether a path is a page of the menu, or below it as one charge is below the charges. */
function isWithin(page: string, path: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`))
}

const MENU_ID = 'user-menu'

/** The person's own pages, the other merchants, and the way out. */
function UserMenu({ view }: { view: SessionView }): VNode {
  const { router, shortcuts } = useApp()
  const { user } = view
  const menu = useRef<HTMLDivElement>(null)
  const { path } = router.place.value
  const hide = () => menu.current?.hidePopover()
  useEffect(hide, [path])
  const { signOut, choose } = useSessionActs()
  return (
    <>
      <button type="button" class="user-button" popovertarget={MENU_ID}>
        <span class="unseen">{`${shellTexts.account}: ${user.name}`}</span>
        <span class="avatar" aria-hidden="true">
          {initialsOf(user.name)}
        </span>
        <span aria-hidden="true">{user.name}</span>
        <Icon name="down" />
      </button>
      <div ref={menu} id={MENU_ID} class="user-menu" popover="auto">
        <div class="who">
          <b>{user.name}</b>
          <span class="soft">{user.email}</span>
        </div>
        {view.merchants.length > 1 && <Merchants view={view} choose={choose} />}
        <div>
          <a href="/profile" onClick={hide}>
            <Icon name="person" /> {shellTexts.profile}
          </a>
          <button
            type="button"
            onClick={() => {
              hide()
              shortcuts.isListOpen.value = true
            }}
          >
            <Icon name="keyboard" /> {shortcutTexts.title}
          </button>
        </div>
        <div>
          <button type="button" onClick={() => void signOut()}>
            <Icon name="exit" /> {shellTexts.signOut}
          </button>
        </div>
      </div>
    </>
  )
}

interface MerchantsProps {
  view: SessionView
  choose: (id: string) => Promise<void>
}

/** The merchants that the person works for, the one in view marked. */
function Merchants({ view: { merchant, merchants }, choose }: MerchantsProps): VNode {
  return (
    <div>
      <h2>{shellTexts.merchant}</h2>
      {merchants.map(({ id, name }) => (
        <button key={id} type="button" aria-pressed={id === merchant.id} onClick={() => void choose(id)}>
          <Icon name={id === merchant.id ? 'check' : 'company'} /> {name}
        </button>
      ))}
    </div>
  )
}

/** What the menu does with the session. A failure is shown in a toast. */
function useSessionActs() {
  const { api, session, router, toasts } = useApp()
  const act = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const outcome = await api.change({ method, path, answer: v.unknown(), ...(body ? { body } : {}) })
    if (outcome.kind === 'failed') {
      toasts.show(outcome.failure.words, { tone: 'bad' })
      return
    }
    await session.refresh(() => router.go('/'))
  }
  return {
    signOut: () => act('DELETE', '/api/session'),
    choose: (id: string) => act('POST', '/api/session/merchant', { id }),
  }
}

/** The first letters of the first and last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return (first.charAt(0) + last.charAt(0)).toUpperCase()
}
