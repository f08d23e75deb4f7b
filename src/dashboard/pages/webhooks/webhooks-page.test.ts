import { screen, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'
import { HOOK } from './testing/made-webhook.ts'

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
    expect(screen.getByRole('link', { name: HOOK.url }).getAttribute('href')).toBe(`/webhooks/${HOOK._id}`)
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
    expect(sent.find(({ line }) => line === 'POST /v1/webhooks')?.body).toEqual({
      url: HOOK.url,
      events: ['*'],
    })
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('whsec_1')
  })

  it('are told of some events where these are chosen, of one at least', async () => {
    const { sent, lines } = await open({
      'POST /v1/webhooks': data({ ...HOOK, secret: 'whsec_1' }, { status: 201 }),
    })
    await person.click(await screen.findByRole('button', { name: 'Add a webhook' }))
    await person.type(dialog().getByLabelText('Address'), 'shop.example/hook')
    await person.click(dialog().getByLabelText('Some events'))
    await person.click(dialog().getByRole('button', { name: 'Add a webhook' }))
    expect(await dialog().findByText(/Choose an event/)).toBeDefined()
    expect(lines()).not.toContain('POST /v1/webhooks')
    await person.click(dialog().getByLabelText('Checkout completed'))
    await person.click(dialog().getByRole('button', { name: 'Add a webhook' }))
    expect(await dialog().findByText('whsec_1')).toBeDefined()
    expect(sent.find(({ line }) => line === 'POST /v1/webhooks')?.body).toEqual({
      url: HOOK.url,
      events: ['checkout.completed'],
    })
  })

  it('name the field of an address that is refused', async () => {
    const details = [{ path: 'url', message: 'must be https' }]
    await open({ 'POST /v1/webhooks': refusal(400, 'validation_error', 'No.', details) })
    await person.click(await screen.findByRole('button', { name: 'Add a webhook' }))
    await person.click(dialog().getByRole('button', { name: 'Add a webhook' }))
    expect(await dialog().findByText(/must be https/)).toBeDefined()
  })

  it('can only be read by a viewer', async () => {
    await open(VIEWER)
    await cells()
    expect(screen.queryByRole('button', { name: 'Add a webhook' })).toBeNull()
  })
})
