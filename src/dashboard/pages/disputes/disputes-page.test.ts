import { act, screen, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import { data, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { createEventStream } from '../../testing/event-stream.ts'
import { openDashboard, person } from '../../testing/open-dashboard.ts'
import { CHARGE_ID } from '../charges/testing/charge-examples.ts'
import { answer, dispute, DISPUTE_ID } from './testing/dispute-examples.ts'

const LIST = 'GET /v1/disputes'

const open = (disputes: DisputeResource[], query = '', answers: Answers = {}, browser = {}) =>
  openDashboard(`/disputes${query}`, { answers: { [LIST]: data(disputes), ...answers }, browser })
const rows = async () => {
  const table = within(await screen.findByRole('table', { name: 'Disputes' }))
  return table
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
}

describe('the list of disputes', () => {
  it('has amount, status, deadline in words, reason, charge and day of each', async () => {
    await open([
      dispute(),
      dispute({ _id: '1'.repeat(24), respond_by: '2026-11-21T12:00:00.000Z', stage: 'second_chargeback' }),
      dispute({ _id: '2'.repeat(24), respond_by: '2026-11-21T09:00:00.000Z', actions: [] }),
      dispute({ _id: '3'.repeat(24), answer: answer(), actions: [] }),
      dispute({ _id: '4'.repeat(24), status: 'won', actions: [], amount: 1234.5 }),
      dispute({ _id: '5'.repeat(24), respond_by: null, stage: 'inquiry' }),
    ])
    const all = await rows()
    expect(all.map((cells) => cells.slice(0, 4))).toEqual([
      ['$10.00', 'Needs response', 'in 3 days', 'Not received'],
      ['$10.00', 'Needs response', 'today', 'Not receivedSecond chargeback'],
      ['$10.00', 'Deadline over', 'Over', 'Not received'],
      ['$10.00', 'Being sent', 'in 3 days', 'Not received'],
      ['$1,234.50', 'Won', '', 'Not received'],
      ['$10.00', 'Needs response', 'Not told', 'Not receivedInquiry'],
    ])
    expect(all[0]?.slice(4)).toEqual([CHARGE_ID, '21 Nov 2026'])
  })

  it('leads to each dispute, and to its charge', async () => {
    await open([dispute()])
    const amount = await screen.findByRole('link', { name: '$10.00' })
    expect(amount.getAttribute('href')).toBe(`/disputes/${DISPUTE_ID}`)
    expect(screen.getByRole('link', { name: CHARGE_ID }).getAttribute('href')).toBe(`/charges/${CHARGE_ID}`)
  })

  it('asks for what the address filters by; days are those of the person’s zone', async () => {
    const { lines } = await open(
      [],
      `?status=needs_response&due=3&charge_id=${CHARGE_ID}&from=2026-11-20&to=2026-11-20`,
    )
    await screen.findByRole('heading', { name: 'Nothing fits' })
    const asked = lines().find((line) => line.startsWith(LIST)) ?? ''
    expect([...new URLSearchParams(asked.split('?')[1])]).toEqual([
      ['status', 'needs_response'],
      ['due_before', '2026-11-24T13:00:00.000Z'],
      ['charge_id', CHARGE_ID],
      ['created_at.from', '2026-11-19T13:00:00.000Z'],
      ['created_at.to', '2026-11-20T13:00:00.000Z'],
    ])
  })

  it('can be filtered by what is due today', async () => {
    const { lines, address } = await open([dispute()])
    await person.selectOptions(await screen.findByLabelText('Answer by'), 'Today')
    expect(address()).toBe('/disputes?due=0')
    expect(lines()).toContain(`${LIST}?due_before=2026-11-21T13%3A00%3A00.000Z`)
    expect(screen.getByText(/the nearest deadline first/)).toBeDefined()
  })

  it.each([
    ['', /the newest first/],
    ['?status=won', /the newest first/],
    ['?status=needs_response', /the nearest deadline first/],
    ['?due=3', /the nearest deadline first/],
  ])('says in which order it is: %j', async (query, words) => {
    await open([dispute()], query)
    expect(await screen.findByText(words)).toBeDefined()
  })

  it('asks for no deadline of those that need no answer any more', async () => {
    const { lines } = await open([dispute()], '?status=lost&due=0')
    expect(await screen.findByText(/the newest first/)).toBeDefined()
    expect(screen.queryByLabelText('Answer by')).toBeNull()
    expect(lines().filter((line) => line.includes('due_before'))).toEqual([])
  })

  it('says where there are none, where nothing fits, and where it can’t be read', async () => {
    await open([])
    expect(await screen.findByRole('heading', { name: 'No disputes' })).toBeDefined()
    await open([], '?status=lost')
    expect(await screen.findByRole('heading', { name: 'Nothing fits' })).toBeDefined()
    await open([], '', { [LIST]: refusal(503, 'service_unavailable', 'x') })
    expect(await screen.findByText('The service is busy. Try again in a moment.')).toBeDefined()
  })

  it('follows what happens to its disputes, and tells of new ones', async () => {
    const stream = createEventStream()
    const other = dispute({ _id: '1'.repeat(24), amount: 20 })
    const later = [other, dispute({ status: 'won', actions: [] })]
    await open([], '', { [LIST]: [data([dispute()]), data(later)] }, stream)
    await rows()
    stream.tell('dispute.won', DISPUTE_ID)
    await act(() => new Promise((done) => setTimeout(done, 500)))
    expect((await rows()).map((cells) => cells[1])).toEqual(['Won'])
    expect(screen.getByText('1 new dispute')).toBeDefined()
  })
})
