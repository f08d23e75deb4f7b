import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { shellTexts } from './texts.ts'
import './signed-out-shell.css'

interface SignedOutShellProps {
  title: string
  /** A sentence below the title. */
  description?: ComponentChildren
  children: ComponentChildren
  /** Words below the card. */
  footer?: ComponentChildren
}

/** A page with one form in the middle, for people who are not signed in. Its first field, else its title, has the focus. */
export function SignedOutShell({ title, description, children, footer }: SignedOutShellProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // A step without a field that takes the focus.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <main class="signed-out-shell">
      <p class="plain-brand">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect class="brand-ground" width="32" height="32" rx="8" />
          <rect x="7" y="10" width="18" height="13" rx="2.5" fill="none" stroke="#fff" stroke-width="2.2" />
          <path d="M7 14.5h18" stroke="#fff" stroke-width="2.6" />
        </svg>
        {shellTexts.product}
      </p>
      <div class="plain-card">
        <header>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description !== undefined && <p class="soft">{description}</p>}
        </header>
        {children}
      </div>
      {footer !== undefined && <p class="plain-footer soft">{footer}</p>}
    </main>
  )
}
