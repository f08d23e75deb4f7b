import type { ComponentChildren, VNode } from 'preact'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { SideNavigation } from './side-navigation.tsx'
import { TopBar } from './top-bar.tsx'
import { shellTexts } from './texts.ts'
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
