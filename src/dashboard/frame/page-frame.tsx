import type { ComponentChildren, VNode } from 'preact'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { SideNavigation } from './side-navigation.tsx'
import { TopBar } from './top-bar.tsx'
import { frameTexts } from './texts.ts'
import './page-frame.css'

interface PageFrameProps {
  view: SessionView
  children: ComponentChildren
}

/** What is around every page of a person who is signed in. */
export function PageFrame({ view, children }: PageFrameProps): VNode {
  return (
    <div class="page-frame">
      <a class="skip" href="#main">
        {frameTexts.skip}
      </a>
      <TopBar view={view} />
      <SideNavigation />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
