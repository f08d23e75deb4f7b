import type { VNode } from 'preact'
import './tabs.css'

/** A part of a page that has an address of its own. */
export interface Tab {
  href: string
  words: string
  isCurrent: boolean
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
}

/** Goes between parts of a page. They are links: each part can be linked to, and opened in a tab of the browser. */
export function Tabs({ label, tabs }: TabsProps): VNode {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, words, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  )
}
