import { act, screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it, onTestFinished } from 'vitest'
import { data, later, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { createEventStream } from '../../testing/event-stream.ts'
import { openDashboard, person, SESSION } from '../../testing/open-dashboard.ts'
import { CHARGE_ID, summary } from './testing/charge-examples.ts'

const LIST = 'GET /api/charges'
const open = (address = '/charges', answers: Answers = {}, browser = {}) =>
  openDashboard(address, { answers: { [LIST]: data([summary()]), ...answers }, browser })
const textOfRow = async () =>
  within((await screen.findAllByRole('row')).at(1) ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

describe('the list of charges', () => {
  it('shows amount, state, card, reference and local time, and leads to the charge', async () => {
    await open()
    expect(await textOfRow()).toEqual([
      '$10.00',
      'Held',
      'Visa •••• 0026',
      'order-1Ada Lovelace',
      '21 Nov 2026, 8:00 pm',
    ])
    expect(screen.getByRole('link', { name: '$10.00' }).getAttribute('href')).toBe(`/charges/${CHARGE_ID}`)
  })

  it.each([
    [{ status: 'complete', refunded_amount: 2 }, 'Partly refunded'],
    [{ status: 'processing', is_outcome_open: true }, 'Asking the gateway'],
    [{ status: 'complete', captured_amount: 4 }, 'Captured$4.00 captured'],
    [{ status: 'complete', captured_amount: 10 }, 'Captured'],
    [{ status: 'complete', captured_amount: 10, disputed_amount: 10 }, 'CapturedDisputed'],
    [{ hold_ends_at: '2026-11-21T15:00:00.000Z' }, 'Heldends in 5 hours'],
    [{ status: 'failed' }, 'Failed'],
  ] as const)('says of %j: %s', async (change, words) => {
    await open('/charges', { [LIST]: data([summary(change)]) })
    expect((await textOfRow())[1]).toBe(words)
  })

  it('shows texts of shoppers as plain text', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    await open('/charges', { [LIST]: data([summary({ reference: hostile, customer_name: hostile })]) })
    expect((await textOfRow())[3]).toBe(hostile + hostile)
    expect(document.querySelector('img')).toBeNull()
  })

  it('says what charges are where there are none', async () => {
    await open('/charges', { [LIST]: data([]) })
    expect(await screen.findByText('No charges yet')).toBeDefined()
  })

  it('says that nothing was found where filters are set, and clears them', async () => {
    const { address } = await open('/charges?q=order-2', { [LIST]: data([]) })
    expect(await screen.findByText('Nothing fits')).toBeDefined()
    await person.click(screen.getByRole('link', { name: 'Clear filters' }))
    expect(address()).toBe('/charges')
  })

  it('offers the next page where a page is empty and the service has not searched everything', async () => {
    await open('/charges?q=order-2', { [LIST]: data([], { next: 'further' }) })
    expect(await screen.findByText(/Go to the next page/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('false')
  })

  it('can be read again after a failure', async () => {
    await open('/charges', { [LIST]: [noAnswer, data([summary()])] })
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    expect((await textOfRow())[0]).toBe('$10.00')
  })
})

describe('the address of the list', () => {
  const FILTERS = 'q=order&status=pending&scheme=visa&from=2026-11-20&to=2026-11-21&amount.from=5'
  /** Whole days of Sydney. */
  const ASKED =
    'q=order&status=pending&scheme=visa&amount.from=5&created_at.from=2026-11-19T13%3A00%3A00.000Z&created_at.to=2026-11-21T13%3A00%3A00.000Z'

  it('says what is asked for, page and all', async () => {
    const { lines } = await open(`/charges?${FILTERS}&cursor=there`)
    await textOfRow()
    expect(lines()).toContain(`GET /api/charges?${ASKED}&cursor=there`)
  })

  it('exports the same charges, of all pages', async () => {
    await open(`/charges?${FILTERS}&cursor=there`)
    const link = await screen.findByRole('link', { name: 'Export CSV' })
    const inView = `in_view=${SESSION.user.id}+${SESSION.merchant.id}`
    expect(link.getAttribute('href')).toBe(`/api/charges.csv?${ASKED}&time_zone=Australia%2FSydney&${inView}`)
    expect(link.hasAttribute('download')).toBe(true)
  })

  it('changes with a filter, which begins at the first page', async () => {
    const { address } = await open('/charges?cursor=there')
    await person.selectOptions(await screen.findByLabelText('Status'), 'Failed')
    expect(address()).toBe('/charges?status=failed')
  })

  it('keeps a filter that is chosen before a search begins', async () => {
    const { address } = await open()
    await person.type(await screen.findByRole('searchbox'), 'order')
    await person.selectOptions(await screen.findByLabelText('Status'), 'Failed')
    await act(() => new Promise((done) => setTimeout(done, 400)))
    expect(new URLSearchParams(address().split('?')[1]).get('status')).toBe('failed')
    expect(new URLSearchParams(address().split('?')[1]).get('q')).toBe('order')
  })

  it('leaves out an invalid day', async () => {
    const { lines } = await open('/charges?from=yesterday')
    await textOfRow()
    expect(lines()).toContain('GET /api/charges')
  })
})

describe('the export', () => {
  const DUSK = { id: '6b01799184f819f4cecbe1a9', name: 'Dusk & Dawn' }
  /** Presses the link; returns the addresses that the browser was left to save. */
  async function press(): Promise<string[]> {
    const saved: string[] = []
    const save = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link && !event.defaultPrevented) saved.push(link.pathname)
      event.preventDefault()
    }
    window.addEventListener('click', save)
    onTestFinished(() => window.removeEventListener('click', save))
    await person.click(await screen.findByRole('link', { name: 'Export CSV' }))
    return saved
  }

  it('begins once the service has allowed it, however often it is pressed', async () => {
    const { lines } = await open('/charges?q=order')
    const saved = await press()
    await waitFor(() => expect(saved).toEqual(['/api/charges.csv']))
    expect(lines().at(-1)).toBe('GET /api/charges?q=order&limit=1')
    await person.click(screen.getByRole('link', { name: 'Export CSV' }))
    await waitFor(() => expect(saved).toHaveLength(2))
  })

  it('of a window that another one has left behind saves nothing, says so and follows', async () => {
    await open('/charges', {
      'GET /api/session': [data(SESSION), data({ ...SESSION, merchant: DUSK })],
      [LIST]: [data([summary()]), refusal(403, 'forbidden', 'Another merchant is in view.'), data([])],
    })
    await textOfRow()
    const saved = await press()
    await screen.findByText(/^Another window has gone to another merchant/)
    expect(screen.getByRole('banner').textContent).toContain(DUSK.name)
    expect(saved).toEqual([])
  })

  it('shows that it is being asked for', async () => {
    const { answer, give } = later(data([]))
    await open('/charges', { [LIST]: [data([summary()]), answer] })
    await textOfRow()
    await press()
    const link = screen.getByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('aria-busy')).toBe('true')
    give()
    await waitFor(() => expect(link.getAttribute('aria-busy')).toBe('false'))
  })

  it('that can’t begin says why', async () => {
    await open('/charges', { [LIST]: [data([summary()]), noAnswer] })
    await textOfRow()
    const saved = await press()
    expect(await screen.findByText(/^The service can’t be reached/)).toBeDefined()
    expect(saved).toEqual([])
  })
})

describe('what happens meanwhile', () => {
  const soon = () => act(() => new Promise((done) => setTimeout(done, 500)))

  it('shows a bar when there are new charges, which adds them when it is pressed', async () => {
    const stream = createEventStream()
    const fresh = [summary({ id: 'f'.repeat(24), amount: 77 }), summary()]
    await open('/charges', { [LIST]: [data([summary()]), data(fresh)] }, { openEvents: stream.openEvents })
    await textOfRow()
    stream.tell('charge.captured', 'f'.repeat(24))
    await soon()
    expect(screen.getByText('1 new charge')).toBeDefined()
    expect((await textOfRow())[0]).toBe('$10.00')
    await person.click(screen.getByRole('button', { name: 'Show' }))
    expect((await textOfRow())[0]).toBe('$77.00')
    expect(screen.queryByText('1 new charge')).toBeNull()
  })

  it('is followed by the state of a row', async () => {
    const stream = createEventStream()
    const captured = data([summary({ status: 'complete' })])
    await open('/charges', { [LIST]: [data([summary()]), captured] }, { openEvents: stream.openEvents })
    await textOfRow()
    stream.tell('charge.captured', CHARGE_ID)
    await soon()
    expect((await textOfRow())[1]).toBe('Captured')
    expect(screen.queryByRole('button', { name: 'Show' })).toBeNull()
  })
})
