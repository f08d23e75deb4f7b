import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { Icon } from '../components/icon.tsx'
import './page-header.css'

interface PageHeaderProps {
  title: ComponentChildren
  /** A sentence below the title. */
  children?: ComponentChildren
  /** Where the page belongs, such as the list that a charge is in. */
  back?: { href: string; words: string }
  /** Buttons for the whole page. */
  actions?: ComponentChildren
}

/** A page's title. It gets the focus when the person comes from another page, so that screen readers say where they are. */
export function PageHeader({ title, children, back, actions }: PageHeaderProps): VNode {
  const { router } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (!router.place.peek().isFirst) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="page-header">
      {back && (
        <a class="page-back" href={back.href}>
          <Icon name="back" /> {back.words}
        </a>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children && <p class="soft">{children}</p>}
      {actions && <div class="page-actions">{actions}</div>}
    </div>
  )
}
