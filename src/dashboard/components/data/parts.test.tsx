import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { Money } from '../../formats/money.tsx'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { Link } from '../actions/link.tsx'
import { CodeBlock } from './code-block.tsx'
import { Tabs } from './tabs.tsx'
import { TimeLine } from './time-line.tsx'

describe('a time line', () => {
  it('is a list of what happened, with times that a machine can read', () => {
    renderInApp(
      <TimeLine
        label="Time line"
        entries={[
          {
            key: '1',
            at: '2026-11-21T10:00:00Z',
            tone: 'good',
            icon: 'check',
            title: (
              <>
                Captured <Money cents={4900} currency="AUD" />
              </>
            ),
          },
        ]}
      />,
    )
    expect(screen.getByRole('listitem').textContent).toBe('Captured $49.0021 Nov 2026, 9:00 pm')
    expect(document.querySelector('time')?.dateTime).toBe('2026-11-21T10:00:00Z')
  })
})

describe('tabs', () => {
  it('are links, of which one is the current', () => {
    renderInApp(
      <Tabs
        label="Charge"
        tabs={[
          { href: '/charges/1', words: 'Payment', isCurrent: true },
          { href: '/charges/1?tab=events', words: 'Events', isCurrent: false },
        ]}
      />,
    )
    const [first, second] = screen.getAllByRole('link')
    expect([first?.getAttribute('aria-current'), second?.hasAttribute('aria-current')]).toEqual([
      'page',
      false,
    ])
  })
})

describe('code', () => {
  it('is shown as it is, not as markup, and can be reached by the keyboard', () => {
    const code = '<script src="https://widget.example/a.js"></script>'
    renderInApp(<CodeBlock label="Script tag" code={code} />)
    const region = screen.getByRole('region', { name: 'Script tag' })
    expect(region.textContent).toBe(code)
    expect(region.tabIndex).toBe(0)
  })
})

describe('a link out of the dashboard', () => {
  it('opens a tab that knows nothing of this one', () => {
    renderInApp(
      <Link href="https://docs.example/" isExternal>
        Docs
      </Link>,
    )
    const link = screen.getByRole('link', { name: 'Docs (new tab)' })
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  })
})
