import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, later, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'

const ID = '6b01799184f819f4cecbe1b1'
const GATEWAY = {
  id: '6b01799184f819f4cecbe1b2',
  name: 'Sandbox',
  type: 'sandbox',
  is_default: true,
  has_credentials: false,
  authentication: 'automatic',
}
const TEMPLATE = {
  _id: ID,
  type: 'configuration',
  version: 1,
  label: 'Cards <b>only</b>',
  content: { schemes: ['visa'], capture: 'now' },
  revision: 2,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
}
const USE = {
  checkout_id: '6b01799184f819f4cecbe1b3',
  status: 'completed',
  amount_cents: 1050,
  currency: 'AUD',
  reference: 'order-7',
  revision: 1,
  created_at: '2026-11-21T09:30:00.000Z',
}
const versions = [1, 2].map((version) => ({
  version,
  is_retired: false,
  recommended_sdk_version_url: null,
  recommended_sdk_version_integrity: null,
}))

const open = (address: string, answers: Answers = {}) =>
  openDashboard(address, {
    answers: {
      'GET /v1/checkouts/templates': data([TEMPLATE]),
      [`GET /v1/checkouts/templates/${ID}`]: data(TEMPLATE),
      [`GET /api/templates/${ID}/checkouts`]: data([USE]),
      'GET /v1/checkouts/versions': data(versions),
      'GET /api/gateways': data([GATEWAY]),
      ...answers,
    },
  })

describe('the templates', () => {
  it('are listed by type, each leading to its page', async () => {
    const { lines } = await open('/templates')
    const link = await screen.findByRole('link', { name: 'Cards <b>only</b>' })
    expect(link.getAttribute('href')).toBe(`/templates/${ID}`)
    await person.click(screen.getByRole('link', { name: 'Customisations' }))
    await waitFor(() => expect(lines()).toContain('GET /v1/checkouts/templates?type=customisation'))
  })

  it('say what they are where there are none, and can be tried again', async () => {
    await open('/templates', { 'GET /v1/checkouts/templates': [noAnswer, data([])] })
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'No configurations yet' })
  })

  it('can only be read by a viewer', async () => {
    await open(`/templates/${ID}`, { 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
    await screen.findByText('Card schemes › Visa')
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    expect(screen.queryByRole('link', { name: /Copy/ })).toBeNull()
  })
})

describe('a template', () => {
  it('is made of what the form says', async () => {
    const made = { ...TEMPLATE, version: 2 }
    const { sent, address } = await open('/templates/new?type=configuration', {
      'POST /v1/checkouts/templates': data(made, { status: 201 }),
    })
    await person.type(await screen.findByLabelText(/Label/), ' Cards ')
    await person.click(screen.getByRole('checkbox', { name: 'American Express' }))
    await person.selectOptions(await screen.findByLabelText('Gateway'), 'Sandbox')
    await person.type(screen.getByLabelText('Maximum attempts'), '3')
    await person.click(screen.getByRole('button', { name: 'Add to more fields' }))
    await person.selectOptions(screen.getByLabelText('Field'), 'Email')
    await person.click(screen.getByRole('checkbox', { name: 'Required' }))
    await person.click(screen.getByRole('button', { name: 'Create template' }))
    await waitFor(() => expect(address()).toBe(`/templates/${ID}`))
    const request = sent.find(({ line }) => line.startsWith('POST'))
    expect(request?.line).toBe('POST /v1/checkouts/templates?type=configuration')
    expect(request?.body).toEqual({
      version: 2,
      label: 'Cards',
      content: {
        schemes: ['amex'],
        fields: [{ field: 'email', required: true }],
        gateway_id: GATEWAY.id,
        most_tries: 3,
      },
    })
  })

  it('offers gateways to choose from, none but the default one until they are known', async () => {
    const { answer, give } = later(data([GATEWAY]))
    await open('/templates/new?type=configuration', { 'GET /api/gateways': answer })
    const choice = within(await screen.findByRole('combobox', { name: 'Gateway' }))
    expect(choice.getAllByRole('option')).toHaveLength(1)
    give()
    await choice.findByRole('option', { name: 'Sandbox' })
  })

  it('with an error is not sent, and shows it at its field', async () => {
    const { lines } = await open('/templates/new?type=configuration')
    const tries = await screen.findByLabelText('Maximum attempts')
    await person.type(tries, '99')
    await person.click(screen.getByRole('button', { name: 'Create template' }))
    await screen.findByText('Must be 1 to 10.')
    await waitFor(() => expect(document.activeElement).toBe(tries))
    expect(lines().some((line) => line.startsWith('POST'))).toBe(false)
  })

  it('shows at its field what the service refuses', async () => {
    const details = [{ path: 'content.gateway_id', message: "is not one of the merchant's gateways" }]
    await open(`/templates/${ID}`, {
      [`PUT /v1/checkouts/templates/${ID}`]: refusal(400, 'validation_error', 'Not valid.', details),
    })
    await person.click(await screen.findByRole('button', { name: 'Save changes' }))
    await screen.findByText("This is not one of the merchant's gateways.")
  })

  it('lists its changes before it is saved, and none afterwards', async () => {
    const saved = { ...TEMPLATE, content: { schemes: ['visa', 'solo'], capture: 'now' }, revision: 3 }
    await open(`/templates/${ID}`, { [`PUT /v1/checkouts/templates/${ID}`]: data(saved) })
    await screen.findByText('Nothing is changed.')
    await person.click(screen.getByRole('checkbox', { name: 'Solo' }))
    const row = within(await screen.findByRole('row', { name: /Card schemes › Solo/ }))
    expect(row.getByText('default')).toBeDefined()
    await person.click(screen.getByRole('button', { name: 'Save changes' }))
    await screen.findByText('Nothing is changed.')
    await screen.findByText(/Saved/)
  })

  it('is taken back to what it was, without styles that the service no longer takes', async () => {
    const element = { element: 'label', styles: { border: 'url(https://shop.example) 1px', color: 'red' } }
    const content = { styles: { text_color: 'red;}', button_color: 'red' }, element_styles: [element] }
    const before = { ...TEMPLATE, type: 'customisation', content }
    const after = { ...before, content: {}, revision: 3 }
    const { sent } = await open(`/templates/${ID}`, {
      [`GET /v1/checkouts/templates/${ID}`]: [data(before), data(after)],
      [`PUT /v1/checkouts/templates/${ID}`]: data(after),
    })
    await person.click(await screen.findByRole('button', { name: 'Save changes' }))
    await person.click(await screen.findByRole('button', { name: 'Undo' }))
    const changes = () => sent.filter(({ line }) => line.startsWith('PUT'))
    await waitFor(() => expect(changes()).toHaveLength(2))
    expect(changes()[1]?.body).toMatchObject({
      content: {
        styles: { button_color: 'red' },
        element_styles: [{ element: 'label', styles: { color: 'red' } }],
      },
    })
    expect(JSON.stringify(changes()[1]?.body)).not.toMatch(/;}|url/)
  })

  it('lists the checkouts that use it', async () => {
    await open(`/templates/${ID}`)
    const row = within(await screen.findByRole('row', { name: /order-7/ }))
    expect(row.getByText('$10.50')).toBeDefined()
    expect(row.getByRole('link').getAttribute('href')).toBe(`/checkouts/${USE.checkout_id}`)
  })

  it('is copied to a newer version, which says what that version adds', async () => {
    const { sent } = await open(`/templates/${ID}`, {
      'POST /v1/checkouts/templates': data({ ...TEMPLATE, version: 2 }, { status: 201 }),
    })
    await person.click(await screen.findByRole('link', { name: 'Copy to version 2' }))
    await screen.findByText('What version 2 adds:')
    expect(screen.getByText('What version 2 adds:').parentElement?.textContent).toBe(
      'What version 2 adds: Maximum attempts, 3-D Secure.',
    )
    await person.click(screen.getByRole('button', { name: 'Create template' }))
    await waitFor(() =>
      expect(sent.find(({ line }) => line.startsWith('POST'))?.body).toEqual({
        version: 2,
        label: 'Cards <b>only</b> (copy)',
        content: TEMPLATE.content,
      }),
    )
  })

  it('of an unknown version is not found', async () => {
    await open('/templates/new?type=configuration&version=9')
    await screen.findByRole('heading', { name: 'There is no such page' })
  })
})
