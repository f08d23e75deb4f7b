import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { WebhookDeliveryResource } from '../../../contract/api/webhook.ts'
import { data } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'
import { HOOK } from './testing/made-webhook.ts'

const ID = HOOK._id
const EVENT = '6b01799184f819f4cecbe1f2'
const FAILED: WebhookDeliveryResource = {
  event_id: EVENT,
  type: 'charge.captured',
  resource_id: '6b01799184f819f4cecbe1c1',
  charge_id: '6b01799184f819f4cecbe1c1',
  status: 'failed',
  attempts: 12,
  last_status: 503,
  last_fault: 'answered 503',
  next_at: null,
  delivered_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
}
const VIEWER = { 'GET /api/session': data(sessionOf({ role: 'viewer' })) }
const dialog = () => within(screen.getByRole('dialog'))
const cells = async () =>
  within((await screen.findAllByRole('row')).at(1) ?? document.body)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)
/** What stands under "Details", as names and values. */
const facts = async () => {
  const section = within(await screen.findByRole('region', { name: 'Details' }))
  const values = section.getAllByRole('definition')
  return section.getAllByRole('term').map(({ textContent }, at) => [textContent, values[at]?.textContent])
}

describe('a webhook', () => {
  const DELIVERIES = `GET /v1/webhooks/${ID}/deliveries`
  const open = (answers: Answers = {}, query = '') =>
    openDashboard(`/webhooks/${ID}${query}`, {
      answers: { [`GET /v1/webhooks/${ID}`]: data(HOOK), [DELIVERIES]: data([FAILED]), ...answers },
    })

  it('shows what was sent there, with the last answer', async () => {
    await open()
    expect(await cells()).toEqual([
      'Charge captured',
      FAILED.resource_id,
      'Failed',
      '12',
      'answered 503',
      '21 Nov 2026, 8:00 pm',
      'Send again',
    ])
  })

  it('says what it is told of, by what the events are about', async () => {
    const events = ['charge.captured', 'charge.capture_failed', 'payment.under_investigation']
    await open({ [`GET /v1/webhooks/${ID}`]: data({ ...HOOK, events }) })
    expect(await facts()).toEqual([
      ['Charges', 'Captured, capture failed'],
      ['Payments of agreements', 'Under investigation'],
      ['Created', '20 Nov 2026, 8:00 pm'],
      ['Webhook id', ID],
    ])
  })

  it('says in two words that it is told of everything', async () => {
    await open()
    expect((await facts())[0]).toEqual(['Events', 'Every event'])
  })

  it('is asked for deliveries of one state by the address', async () => {
    const { lines } = await open({}, '?status=failed')
    await cells()
    expect(lines()).toContain(`${DELIVERIES}?status=failed`)
  })

  it('gets an event again, and a test event', async () => {
    const again = `POST /v1/webhooks/${ID}/deliveries/${EVENT}/resend`
    const { lines } = await open({ [again]: data({}), [`POST /v1/webhooks/${ID}/test`]: data({}) })
    await person.click(await screen.findByRole('button', { name: 'Send again' }))
    expect(await screen.findByText('It is on its way again.')).toBeDefined()
    await person.click(screen.getByRole('button', { name: 'Send a test event' }))
    expect(await screen.findByText('A test event is on its way.')).toBeDefined()
    expect(lines()).toEqual(expect.arrayContaining([again, `POST /v1/webhooks/${ID}/test`]))
  })

  it('gets an event again only once after a double click', async () => {
    const again = `POST /v1/webhooks/${ID}/deliveries/${EVENT}/resend`
    let answer: () => void = () => undefined
    const late = new Promise<void>((done) => (answer = done)).then(data({}))
    const { lines } = await open({ [again]: () => late })
    const button = await screen.findByRole('button', { name: 'Send again' })
    await person.dblClick(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
    answer()
    expect(await screen.findByText('It is on its way again.')).toBeDefined()
    expect(lines().filter((line) => line === again)).toHaveLength(1)
  })

  it('is changed, and keeps the events that are chosen unless others are', async () => {
    const path = `PATCH /v1/webhooks/${ID}`
    const some = { ...HOOK, events: ['charge.captured', 'payment.settled'] }
    const { sent } = await open({ [`GET /v1/webhooks/${ID}`]: data(some), [path]: data(some) })
    await person.click(await screen.findByRole('button', { name: 'Change' }))
    await person.click(dialog().getByLabelText('Payment settled'))
    await person.click(dialog().getByLabelText('Charge refunded'))
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The webhook was changed.')).toBeDefined()
    const body = { url: HOOK.url, events: ['charge.captured', 'charge.refunded'] }
    expect(sent.find(({ line }) => line === path)?.body).toEqual(body)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('gets a new secret with an overlap, shown once, and says until when the old one signs', async () => {
    const path = `POST /v1/webhooks/${ID}/secret`
    const rolled = { ...HOOK, old_secret_ends_at: '2026-11-22T09:00:00.000Z' }
    const { sent } = await open({
      [`GET /v1/webhooks/${ID}`]: [data(HOOK), data(rolled)],
      [path]: data({ ...rolled, secret: 'whsec_2' }, { status: 201 }),
    })
    await person.click(await screen.findByRole('button', { name: 'New secret' }))
    await person.click(dialog().getByRole('button', { name: 'New secret' }))
    expect(await dialog().findByText('whsec_2')).toBeDefined()
    expect(sent.find(({ line }) => line === path)?.body).toEqual({ overlap_seconds: 86_400 })
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('whsec_2')
    expect(await screen.findByText(/signed by the old secret, too, until/)).toBeDefined()
  })

  it('is disabled after a confirmation, and enabled again', async () => {
    const path = `PATCH /v1/webhooks/${ID}`
    const disabled = data({ ...HOOK, status: 'disabled' })
    const { sent } = await open({
      [`GET /v1/webhooks/${ID}`]: [data(HOOK), disabled, data(HOOK)],
      [path]: [disabled, data(HOOK)],
    })
    await person.click(await screen.findByRole('button', { name: 'Disable' }))
    await person.click(dialog().getByRole('button', { name: 'Disable' }))
    await person.click(await screen.findByRole('button', { name: 'Enable' }))
    expect(await screen.findByText('It receives events from now on.')).toBeDefined()
    expect(sent.filter(({ line }) => line === path).map(({ body }) => body)).toEqual([
      { status: 'disabled' },
      { status: 'enabled' },
    ])
    expect(screen.queryByRole('button', { name: 'Enable' })).toBeNull()
  })

  it('that is disabled cannot be tried out, and says why nothing is sent there', async () => {
    await open({ [`GET /v1/webhooks/${ID}`]: data({ ...HOOK, status: 'disabled' }) })
    expect(await screen.findByText(/Nothing is sent there: its server said that it is gone/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send a test event' })).toBeNull()
  })

  it('is deleted after a confirmation, which leads back to the list', async () => {
    const path = `DELETE /v1/webhooks/${ID}`
    const { lines, address } = await open({ [path]: data({}), 'GET /v1/webhooks': data([]) })
    await person.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(lines()).not.toContain(path)
    await person.click(dialog().getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(address()).toBe('/webhooks'))
    expect(lines()).toContain(path)
  })

  it('can only be read by a viewer', async () => {
    await open(VIEWER)
    await cells()
    expect(screen.queryByRole('button', { name: /Send|Delete|Change|New|able/ })).toBeNull()
  })
})
