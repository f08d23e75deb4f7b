import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { WebhookDeliveryResource, WebhookResource } from '../../../contract/api/webhook.ts'
import { data, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'

const ID = '6b01799184f819f4cecbe1f1'
const EVENT = '6b01799184f819f4cecbe1f2'
const HOOK: WebhookResource = {
  _id: ID,
  url: 'https://shop.example/hook',
  events: [...WebhookEventType.options],
  status: 'enabled',
  old_secret_ends_at: null,
  created_at: '2026-11-20T09:00:00.000Z',
}
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

describe('the webhooks', () => {
  const open = (answers: Answers = {}) =>
    openDashboard('/webhooks', { answers: { 'GET /v1/webhooks': data([HOOK]), ...answers } })

  it('are listed with their events and state, and lead to each', async () => {
    await open({ 'GET /v1/webhooks': data([{ ...HOOK, events: ['charge.captured'], status: 'disabled' }]) })
    expect(await cells()).toEqual(['https://shop.example/hook', '1', '20 Nov 2026', 'Disabled'])
    expect(screen.getByRole('link', { name: HOOK.url }).getAttribute('href')).toBe(`/webhooks/${ID}`)
  })

  it('say what they are where there are none, and can be tried again', async () => {
    await open({ 'GET /v1/webhooks': [noAnswer, data([])] })
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No webhook yet')).toBeDefined()
  })

  it('get another one, whose secret is shown once', async () => {
    const { sent } = await open({
      'POST /v1/webhooks': data({ ...HOOK, secret: 'whsec_1' }, { status: 201 }),
    })
    await person.click(await screen.findByRole('button', { name: 'Add a webhook' }))
    await person.type(dialog().getByLabelText('Address'), 'shop.example/hook')
    await person.click(dialog().getByRole('button', { name: 'Add a webhook' }))
    expect(await dialog().findByText('whsec_1')).toBeDefined()
    expect(sent.find(({ line }) => line === 'POST /v1/webhooks')?.body).toEqual({ url: HOOK.url })
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('whsec_1')
  })

  it('name the field of an address that is refused', async () => {
    const details = [{ path: 'url', message: 'must be https' }]
    await open({ 'POST /v1/webhooks': refusal(400, 'validation_error', 'No.', details) })
    await person.click(await screen.findByRole('button', { name: 'Add a webhook' }))
    await person.click(dialog().getByRole('button', { name: 'Add a webhook' }))
    expect(await dialog().findByText(/must be https/)).toBeDefined()
  })

  it('are looked at by a viewer, and nothing else', async () => {
    await open(VIEWER)
    await cells()
    expect(screen.queryByRole('button', { name: 'Add a webhook' })).toBeNull()
  })
})

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
      'Given up',
      '12',
      'answered 503',
      '21 Nov 2026, 8:00 pm',
      'Send again',
    ])
  })

  it('is asked for deliveries of one state by the address', async () => {
    const { lines } = await open({}, '?status=failed')
    await cells()
    expect(lines()).toContain(`${DELIVERIES}?status=failed`)
  })

  it('gets an event once more, and a test event', async () => {
    const again = `POST /v1/webhooks/${ID}/deliveries/${EVENT}/resend`
    const { lines } = await open({ [again]: data({}), [`POST /v1/webhooks/${ID}/test`]: data({}) })
    await person.click(await screen.findByRole('button', { name: 'Send again' }))
    expect(await screen.findByText('It is on its way again.')).toBeDefined()
    await person.click(screen.getByRole('button', { name: 'Send a test event' }))
    expect(await screen.findByText('A test event is on its way.')).toBeDefined()
    expect(lines()).toEqual(expect.arrayContaining([again, `POST /v1/webhooks/${ID}/test`]))
  })

  it('is deleted after a question, and leads back to the list', async () => {
    const path = `DELETE /v1/webhooks/${ID}`
    const { lines, address } = await open({ [path]: data({}), 'GET /v1/webhooks': data([]) })
    await person.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(lines()).not.toContain(path)
    await person.click(dialog().getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(address()).toBe('/webhooks'))
    expect(lines()).toContain(path)
  })

  it('is looked at by a viewer, and nothing else', async () => {
    await open(VIEWER)
    await cells()
    expect(screen.queryByRole('button', { name: /Send|Delete/ })).toBeNull()
  })
})
