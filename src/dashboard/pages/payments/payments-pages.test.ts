import { screen, within } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { ListedPayment } from '../../../contract/dashboard/payments/payment-list.ts'
import { data, noAnswer } from '../../testing/answers.ts'
import { openDashboard, person } from '../../testing/open-dashboard.ts'

const PAYMENT_ID = '6b017a0c84f819f4cecbe1b2'
const AGREEMENT_ID = '6b01799184f819f4cecbe1b3'

const PAYMENT: AgreementPaymentResource = {
  _id: PAYMENT_ID,
  agreement_id: AGREEMENT_ID,
  agreement_version: 0,
  status: 'settled',
  amount: 49.9,
  currency: 'AUD',
  reference: 'invoice-1',
  description: null,
  last_payment: false,
  due_on: null,
  failure: null,
  network_reference: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
  settled_at: '2026-11-21T09:00:00.000Z',
}
const LISTED: ListedPayment = { ...PAYMENT, agreement_description: 'Gym', debtor_name: 'Ada Lovelace' }

describe('the list of payments', () => {
  it('shows amount, state, agreement, reference and time, and leads to each payment', async () => {
    await openDashboard('/payments', { answers: { 'GET /api/payments': data([LISTED]) } })
    const row = (await screen.findAllByRole('row')).at(1) ?? document.body
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['$49.90', 'Settled', 'GymAda Lovelace', 'invoice-1', '21 Nov 2026, 8:00 pm'])
    expect(screen.getByRole('link', { name: '$49.90' }).getAttribute('href')).toBe(`/payments/${PAYMENT_ID}`)
  })

  it('asks for what the address says, in days of the person’s zone', async () => {
    const query = `status=failed&agreement=${AGREEMENT_ID}&from=2026-11-21&to=2026-11-21`
    const { lines } = await openDashboard(`/payments?${query}`, {
      answers: { 'GET /api/payments': data([]) },
    })
    await screen.findByText('Nothing fits')
    const asked = lines().find((line) => line.startsWith('GET /api/payments'))
    expect(Object.fromEntries(new URLSearchParams(asked?.split('?')[1]))).toEqual({
      status: 'failed',
      agreement_id: AGREEMENT_ID,
      'created_at.from': '2026-11-20T13:00:00.000Z',
      'created_at.to': '2026-11-21T13:00:00.000Z',
    })
  })

  it('puts a filter that is chosen into the address', async () => {
    const { address, lines } = await openDashboard('/payments', {
      answers: { 'GET /api/payments': data([LISTED]) },
    })
    await person.selectOptions(await screen.findByLabelText('Status'), 'Under investigation')
    expect(address()).toBe('/payments?status=under_investigation')
    await vi.waitFor(() => expect(lines()).toContain('GET /api/payments?status=under_investigation'))
  })

  it('goes to the next page by its cursor', async () => {
    const { address } = await openDashboard('/payments', {
      answers: { 'GET /api/payments': data([LISTED], { next: 'c1' }) },
    })
    await person.click(await screen.findByRole('button', { name: 'Next' }))
    expect(address()).toBe('/payments?cursor=c1')
  })

  it('says what will stand there, and why it can’t be read', async () => {
    await openDashboard('/payments', { answers: { 'GET /api/payments': data([]) } })
    expect(await screen.findByText('No payments yet')).toBeDefined()
    await openDashboard('/payments', { answers: { 'GET /api/payments': noAnswer } })
    expect(await screen.findByRole('alert')).toBeDefined()
  })
})

it('a payment leads to its agreement, and back to the list', async () => {
  await openDashboard(`/payments/${PAYMENT_ID}`, {
    answers: { [`GET /payments/${PAYMENT_ID}`]: data(PAYMENT) },
  })
  expect((await screen.findByRole('link', { name: 'See the agreement' })).getAttribute('href')).toBe(
    `/agreements/${AGREEMENT_ID}`,
  )
  const back = within(screen.getByRole('main')).getByRole('link', { name: 'Payments' })
  expect(back.getAttribute('href')).toBe('/payments')
})
