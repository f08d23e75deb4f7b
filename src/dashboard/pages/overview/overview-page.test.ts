import { screen, within } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import type { Overview } from '../../../contract/dashboard/overview.ts'
import { data, noAnswer } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { rangeOf } from './trend.ts'
import { openDashboard, person } from '../../testing/open-dashboard.ts'

const CHARGE_ID = '6b01799184f819f4cecbe1c1'
const NONE = { count: 0, cents: 0 }
const TALLIES = {
  authorised: { count: 3, cents: 3000 },
  captured: { count: 2, cents: 2000 },
  refunded: { count: 1, cents: 500 },
  cancelled: NONE,
  declined: { count: 1, cents: 1234 },
  ...{ asked: NONE, passed: NONE, not_passed: NONE, gave_up: NONE },
}
const OVERVIEW: Overview = {
  from: '2026-11-20',
  to: '2026-11-21',
  time_zone: 'Australia/Sydney',
  step: 'day',
  uncounted: 0,
  approval_rate: 0.75,
  totals: [
    { currency: 'AUD', ...TALLIES },
    { currency: 'EUR', ...TALLIES, captured: { count: 9, cents: 900 } },
  ],
  by_scheme: [{ scheme: 'visa', currency: 'AUD', approval_rate: 0.75, ...TALLIES }],
  decline_reasons: [
    { reason: 'insufficient_funds', words: 'Not enough funds', currency: 'AUD', count: 1, cents: 1234 },
  ],
  series: [
    { starts_at: '2026-11-19T13:00:00.000Z', currencies: [{ currency: 'AUD', ...TALLIES }] },
    { starts_at: '2026-11-20T13:00:00.000Z', currencies: [] },
  ],
  needs_attention: [],
}
const EMPTY: Overview = { ...OVERVIEW, approval_rate: null, totals: [], by_scheme: [], decline_reasons: [] }

const open = (answers: Answers = {}, query = '') =>
  openDashboard(`/${query}`, { answers: { 'GET /api/overview': data(OVERVIEW), ...answers } })
const tiles = async () =>
  [...(await screen.findByRole('region', { name: 'Figures' })).querySelectorAll('.tile')].map(
    ({ textContent }) => textContent,
  )

describe('the overview', () => {
  it('has the figures of the days, each with how often', async () => {
    await open()
    expect(await tiles()).toEqual([
      'Authorised$30.003 times',
      'Captured$20.002 times',
      'Refunded$5.001 time',
      'Declined$12.341 time',
      'Approval rate75%of the sales that an issuer answered',
    ])
  })

  it('has how many were asked by their bank and what became of that, where any were', async () => {
    await open()
    await tiles()
    expect(screen.queryByRole('region', { name: '3-D Secure' })).toBeNull()
  })

  it('has them by days, too', async () => {
    const asked = {
      asked: { count: 8, cents: 8000 },
      passed: { count: 6, cents: 6000 },
      not_passed: { count: 1, cents: 1000 },
      gave_up: { count: 1, cents: 1000 },
    }
    const [first, ...rest] = OVERVIEW.series
    await open({
      'GET /api/overview': data({
        ...OVERVIEW,
        totals: [{ currency: 'AUD', ...TALLIES, ...asked }],
        series: [
          { starts_at: first?.starts_at ?? '', currencies: [{ currency: 'AUD', ...TALLIES, ...asked }] },
          ...rest,
        ],
      }),
    })
    const section = within(await screen.findByRole('region', { name: '3-D Secure' }))
    const figures = section.getByRole('region', { name: 'Figures of 3-D Secure' })
    expect([...figures.children].map(({ textContent }) => textContent)).toEqual([
      'Asked8$80.00 in all',
      'Authenticated675% of those who were asked',
      'Not confirmed112.5% of those who were asked',
      'Not finished112.5% of those who were asked',
    ])
    await person.click(section.getByText('By days'))
    const rows = section.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows).toEqual([
      'DayAskedAuthenticatedNot confirmedNot finished',
      '21 Nov 20260000',
      '20 Nov 20268611',
    ])
  })

  it.each([
    ['?days=7', '2026-11-15', '2026-11-21'],
    ['?from=2026-11-01&to=2026-11-02', '2026-11-01', '2026-11-02'],
  ])('asks for days of the person’s zone: %s', async (query, from, to) => {
    const { lines } = await open({}, query)
    await tiles()
    expect(lines()).toContain(`GET /api/overview?from=${from}&to=${to}&time_zone=Australia%2FSydney`)
  })

  it('asks for the last 30 days without naming them, as its document does', async () => {
    const { lines } = await open()
    await tiles()
    expect(lines()).toContain('GET /api/overview')
  })

  it('shows one currency at a time, by the address', async () => {
    const { address } = await open()
    await person.click(await screen.findByRole('link', { name: 'EUR' }))
    expect(address()).toBe('/?currency=EUR')
    expect((await tiles())[1]).toMatch(/^CapturedEUR.9\.009 times$/)
  })

  it('leads from a scheme to its charges of these days, and says why sales were declined', async () => {
    await open()
    const scheme = await screen.findByRole('link', { name: 'Visa' })
    expect(scheme.getAttribute('href')).toBe('/charges?scheme=visa&from=2026-11-20&to=2026-11-21')
    expect(screen.getByRole('row', { name: /Not enough funds 1 100% \$12\.34/ })).toBeDefined()
  })

  it('says of days in which a gateway undid more than was done how much more', async () => {
    const captured = { count: -1, cents: -2000 }
    await open({
      'GET /api/overview': data({ ...OVERVIEW, totals: [{ currency: 'AUD', ...TALLIES, captured }] }),
    })
    expect((await tiles())[1]).toBe('Captured-$20.001 more undone by the gateway than done')
    expect([rangeOf(-2000, 0), rangeOf(0, 2000), rangeOf(null, null)]).toEqual([
      [-2160, 1],
      [0, 2160],
      [0, 1],
    ])
  })

  it('has the chart’s figures as a table, the newest first', async () => {
    await open()
    const table = within(await screen.findByRole('table', { name: 'Over time' }))
    const days = table.getAllByRole('row').slice(1)
    expect(days.map(({ textContent }) => textContent.slice(0, 11))).toEqual(['21 Nov 2026', '20 Nov 2026'])
    expect(days[1]?.textContent).toContain('$20.00 (2)')
  })

  it('says what to do where nothing happened, and can be tried again', async () => {
    await open({ 'GET /api/overview': [noAnswer, data(EMPTY)] })
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Nothing happened in these days')).toBeDefined()
  })
})

describe('what needs attention', () => {
  const hold = {
    kind: 'hold_ends',
    count: 2,
    is_more: false,
    items: [
      { id: CHARGE_ID, at: '2026-11-21T15:00:00.000Z', words: 'order-1', cents: 1000, currency: 'AUD' },
    ],
    target: { page: 'charges', query: { status: 'pending' } },
  } as const

  it('says what, until when and for how much, and leads there', async () => {
    await open({ 'GET /api/overview': data({ ...OVERVIEW, needs_attention: [hold] }) })
    const needs = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect(needs.getByRole('heading', { name: '2 holds end within a day' })).toBeDefined()
    expect(needs.getByRole('link', { name: 'order-1' }).getAttribute('href')).toBe(`/charges/${CHARGE_ID}`)
    expect(needs.getByText('$10.00')).toBeDefined()
    expect(needs.getByText('in 5 hours')).toBeDefined()
    expect(needs.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe('/charges?status=pending')
  })

  it('is dismissed once somebody has seen to it: a notification that contradicts its charge', async () => {
    const item = { ...hold.items[0], words: 'CAPTURE: The charge was refunded.', cents: null, currency: null }
    const news = {
      ...hold,
      kind: 'gateway_news',
      count: 2,
      items: [
        { ...item, notification_id: '6b01799184f819f4cecbe1d1' },
        { ...item, notification_id: '6b01799184f819f4cecbe1d2' },
      ],
      target: { page: 'charges', query: null },
    }
    const dismissed = 'POST /api/notifications/6b01799184f819f4cecbe1d2/dismiss'
    await open({
      'GET /api/overview': [
        data({ ...OVERVIEW, needs_attention: [news] }),
        data({ ...OVERVIEW, needs_attention: [{ ...news, count: 1, items: news.items.slice(0, 1) }] }),
      ],
      [dismissed]: data({ id: '6b01799184f819f4cecbe1d2' }),
    })
    const buttons = await screen.findAllByRole('button', { name: 'I have seen to it' })
    await person.click(buttons[1] ?? document.body)
    expect(await screen.findByText(/It is off the list/)).toBeDefined()
    expect(await screen.findByRole('heading', { name: /^1 notification of a gateway/ })).toBeDefined()
    expect(screen.getAllByRole('button', { name: 'I have seen to it' })).toHaveLength(1)
  })

  it('has no list where none shows them', async () => {
    const capture = { ...hold.items[0], words: 'capture' }
    const unknown = {
      ...hold,
      kind: 'follow_up_unknown',
      count: 1,
      items: [capture],
      target: { page: 'charges', query: null },
    } as const
    await open({ 'GET /api/overview': data({ ...OVERVIEW, needs_attention: [unknown] }) })
    const needs = within(await screen.findByRole('region', { name: 'Needs attention' }))
    const title = '1 capture, cancellation or refund has no known outcome'
    expect(needs.getByRole('heading', { name: title })).toBeDefined()
    expect(needs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([CHARGE_ID])
  })

  it('names disputes by stage and amount, with their deadlines by the calendar', async () => {
    const dispute = { ...hold.items[0], at: '2026-11-22T09:00:00.000Z', words: 'second_chargeback' }
    const disputes = {
      ...hold,
      kind: 'dispute_needs_response',
      items: [dispute],
      target: { page: 'disputes', query: { status: 'needs_response' } },
    } as const
    await open({ 'GET /api/overview': data({ ...OVERVIEW, needs_attention: [disputes] }) })
    const needs = within(await screen.findByRole('region', { name: 'Needs attention' }))
    const link = needs.getByRole('link', { name: /^Second chargeback of \$/ })
    expect(link.getAttribute('href')).toBe(`/disputes/${CHARGE_ID}`)
    expect(needs.getByText('tomorrow').parentElement?.textContent).toBe('due tomorrow')
    expect(needs.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe(
      '/disputes?status=needs_response',
    )
  })

  it('says so where nothing does, and where more does than is counted', async () => {
    await open()
    expect(await screen.findByText(/Nothing needs attention/)).toBeDefined()
    const many = { ...hold, count: 1000, is_more: true }
    await open({ 'GET /api/overview': data({ ...OVERVIEW, needs_attention: [many] }) })
    expect(await screen.findByRole('heading', { name: '1,000+ holds end within a day' })).toBeDefined()
  })
})

it('figures that are too early are read again until they are not', async () => {
  const early = data({ ...OVERVIEW, uncounted: 1 })
  const late = data({ ...OVERVIEW, totals: [{ currency: 'AUD', ...TALLIES, captured: NONE }] })
  await open({ 'GET /api/overview': [early, early, early, late] })
  const captured = async () => (await tiles()).find((text) => text.startsWith('Captured'))
  await vi.waitFor(async () => expect(await captured()).toContain('$0.00'), { timeout: 5000 })
})

it('figures that are behind say by how much', async () => {
  await open({ 'GET /api/overview': data({ ...OVERVIEW, uncounted: 1234 }) })
  expect(await screen.findByText(/^1,234 events are not counted yet/)).toBeDefined()
})
