import type { VNode } from 'preact'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { Icon } from '../components/icon.tsx'
import { shellTexts } from './texts.ts'
import { NAVIGATION_ID } from './side-navigation.tsx'
import { UserMenu } from './user-menu.tsx'
import './top-bar.css'

/** Which merchant, in which environment, and who is looking. */
export function TopBar({ view }: { view: SessionView }): VNode {
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
