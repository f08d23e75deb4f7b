import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { person } from '../../testing/open-dashboard.ts'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { FiltersBar } from './filters-bar.tsx'
import type { Filter } from './filters-bar.tsx'
import { Pager } from './pager.tsx'

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'Status', options: [{ value: 'complete', words: 'Captured' }] },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'amount', name: 'amount.from', label: 'Amount' },
]
const bar = <FiltersBar filters={FILTERS} search="Id or reference" />
const query = () => window.location.search
const search = () => screen.getByLabelText<HTMLInputElement>('Search')

describe('the filters of a list', () => {
  it('stand in the address', async () => {
    renderInApp(bar, { address: '/charges?from=2026-11-01' })
    await person.selectOptions(screen.getByLabelText('Status'), 'Captured')
    expect(query()).toBe('?from=2026-11-01&status=complete')
    await person.selectOptions(screen.getByLabelText('Status'), 'Any')
    expect(query()).toBe('?from=2026-11-01')
  })

  it('are shown as the address has them', () => {
    renderInApp(bar, { address: '/charges?status=complete&q=MF-7' })
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('complete')
    expect(search().value).toBe('MF-7')
  })

  it('are searched by what was typed, after a pause, from the first page', async () => {
    renderInApp(bar, { address: '/charges?cursor=c2' })
    await person.type(search(), ' MF-7')
    expect(query()).toBe('?cursor=c2')
    await waitFor(() => expect(query()).toBe('?q=MF-7'))
  })

  it.each([
    ['4242424242424242', '•••• 4242'],
    ['4242 4242 4242 4242 ', '•••• 4242'],
    ['Visa 4242-4242-4242-4242, Ada', 'Visa •••• 4242, Ada'],
    ['４２４２４２４２４２４２４２４２', '•••• 4242'],
    ['378282246310005', '•••• 0005'],
    ['4242  4242  4242  4242', '•••• 4242'],
    ['4242 - 4242 - 4242 - 4242', '•••• 4242'],
    ['4242_4242_4242_4242', '•••• 4242'],
    ['4242\u200b4242\u200b4242\u200b4242', '•••• 4242'],
    ['4242 4242 4242 4242 12/29', '•••• 4242 12/29'],
    ['4242424242424242 12/29 123', '•••• 4242 12/29 123'],
    ['7 4242424242424242', '7 •••• 4242'],
    ['…1118', '…1118'],
    ['№5 ﬁ ①', '№5 ﬁ ①'],
    ['4242424242424241', '4242424242424241'],
    ['6b01799184f819f4cecbe1c1', '6b01799184f819f4cecbe1c1'],
    ['000000004242424242424242', '000000004242424242424242'],
  ])('%j is searched as %j: a card number gets into no address', async (typed, sought) => {
    renderInApp(bar, { address: '/charges' })
    await person.click(search())
    await person.paste(typed)
    await waitFor(() => expect(new URLSearchParams(query()).get('q')).toBe(sought))
    expect(search().value.trim()).toBe(sought)
  })

  it.each([
    ['12', '12'],
    ['12.5', '12.5'],
    ['A$1,200.50', '1200.50'],
    ['1.200,50 €', '1200.50'],
    ['1\u202f200,50', '1200.50'],
    ["AUD 1'200", '1200'],
    ['1,200', '1200'],
    ['１２', '12'],
    ['12.345.67', '12345.67'],
    ['twelve', 'twelve'],
  ])('take the amount %j as %j', async (typed, amount) => {
    renderInApp(bar, { address: '/charges' })
    await person.click(screen.getByLabelText('Amount'))
    await person.paste(typed)
    await person.tab()
    expect(new URLSearchParams(query()).get('amount.from')).toBe(amount)
  })

  it('take no more of a text than is searched for', async () => {
    renderInApp(bar, { address: '/charges' })
    await person.click(search())
    await person.paste(`MF-7 ${'and so on '.repeat(60)}`)
    await waitFor(() => expect(new URLSearchParams(query()).get('q')).toMatch(/^MF-7 .{200,245}$/))
  })

  it('are cleared all at once', async () => {
    renderInApp(bar, { address: '/charges?status=complete&q=MF-7&tab=all' })
    await person.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(query()).toBe('?tab=all')
    await waitFor(() => expect(search().value).toBe(''))
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull()
  })

  it('are folded behind a button that counts the active ones', async () => {
    renderInApp(bar, { address: '/charges?status=complete&q=MF-7' })
    const fold = screen.getByRole('button', { name: 'Filters (1)', expanded: false })
    const folded = document.getElementById(fold.getAttribute('aria-controls') ?? '')
    expect(folded?.contains(screen.getByLabelText('Status'))).toBe(true)
    expect(folded?.contains(search())).toBe(false)
    expect(folded?.className).toBe('filters-folded')
    await person.click(fold)
    expect(fold.getAttribute('aria-expanded')).toBe('true')
    expect(folded?.className).toBe('filters-folded open')
    await person.selectOptions(screen.getByLabelText('Status'), 'Any')
    expect(fold.textContent).toBe('Filters')
  })

  it('are not folded where there is one', () => {
    renderInApp(<FiltersBar filters={FILTERS.slice(0, 1)} />)
    expect(screen.queryByRole('button', { name: /Filters/ })).toBeNull()
    expect(screen.getByLabelText('Status')).toBeDefined()
  })

  it('get the focus by the key /', async () => {
    renderInApp(bar)
    await person.keyboard('/')
    expect(document.activeElement).toBe(search())
    expect(search().value).toBe('')
  })
})

describe('the pages of a list', () => {
  const press = (name: string) => person.click(screen.getByRole('button', { name }))

  it('can be turned forward and back by their cursors', async () => {
    renderInApp(<Pager next="c2" />, { address: '/charges?status=complete' })
    await press('Next')
    expect(query()).toBe('?status=complete&cursor=c2')
    await press('Previous')
    expect(query()).toBe('?status=complete')
  })

  it('lead to the first from one that was opened by a link', async () => {
    renderInApp(<Pager next={null} />, { address: '/charges?cursor=c9' })
    await press('Next')
    expect(query()).toBe('?cursor=c9')
    await press('First page')
    expect(query()).toBe('')
  })

  it('are not offered where there is one', () => {
    renderInApp(<Pager next={null} />)
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
