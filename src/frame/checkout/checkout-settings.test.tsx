import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { field } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { openCheckout, session } from './testing/checkout-page.ts'

const heading = () => screen.getByRole('heading').textContent

describe('a checkout', () => {
  it('takes the templates’ settings, and those of the page over them', async () => {
    const { command } = await openCheckout({
      sessions: [
        session({
          configuration: { fields: [{ field: 'email', required: true }] },
          customisation: { texts: { title: 'Of the template', submit_button: 'Give {amount}' } },
          customisation_since_1_3: { layout: 'line' },
          customer: { email: 'grace@example.com' },
        }),
      ],
      settings: { texts: { title: 'Of the page' } },
    })
    expect(field('Email').value).toBe('grace@example.com')
    expect(heading()).toBe('Of the page')
    expect(screen.getByRole('group', { name: 'Card' })).toBeDefined()
    expect(screen.getByRole('button').textContent).toBe('Give A$49.00')
    command({ command: 'set', settings: { texts: { title: 'Changed' } } })
    await messagesDelivered()
    expect(heading()).toBe('Changed')
  })

  it('keeps every text that the page sets before the session has come, over the templates’', async () => {
    let come: (answer: Response) => void = () => undefined
    const template = session({ customisation: { texts: { title: 'Of the template', title_h3: 'Its line' } } })
    const { command } = await openCheckout({
      sessions: [() => new Promise((resolve) => (come = resolve))],
      settings: { texts: { title: 'Of the page' } },
    })
    command({ command: 'set', settings: { texts: { submit_button: 'Give' } } })
    await messagesDelivered()
    come(await template())
    await messagesDelivered()
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Of the page')
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Its line')
    expect(screen.getByRole('button').textContent).toBe('Give')
  })
})
