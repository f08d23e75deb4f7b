import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { Icon } from '../components/icon.tsx'
import type { Route } from '../router/route.ts'
import { ROUTES } from '../routes.ts'
import { MENU_GROUPS } from './menu-group.ts'
import { shellTexts, groupTexts } from './texts.ts'
import './side-navigation.css'

/** By which the top bar's button opens the navigation on a narrow screen. */
export const NAVIGATION_ID = 'navigation'

/** The pages of the menu: beside the page on a wide screen, over it on a narrow one. */
export function SideNavigation(): VNode {
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
