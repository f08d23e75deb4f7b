import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { GatewayType, GatewayView } from '../../../contract/dashboard/company/gateway.ts'
import { data, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'

const SANDBOX: GatewayView = {
  id: '6b01799184f819f4cecbe1e1',
  name: 'Sandbox',
  type: 'sandbox',
  is_default: true,
  has_credentials: false,
}
const ADYEN: GatewayView = {
  id: '6b01799184f819f4cecbe1e2',
  name: 'Adyen AU',
  type: 'adyen',
  is_default: false,
  has_credentials: true,
}
const LIST = 'GET /api/gateways'
const can = { partial_capture: true, look_up: true, notifications: false, disputes: false }
const TYPES: readonly GatewayType[] = [
  {
    ...{ type: 'adyen', name: 'Adyen', usual_url: 'https://checkout-test.adyen.com/v72', can },
    words: {
      api_key: 'API key',
      merchant_account: 'Merchant account',
      base_url: 'Address of the Checkout API',
    },
  },
  {
    ...{ type: 'stripe', name: 'Stripe', usual_url: 'https://api.stripe.com', can },
    words: { api_key: 'Secret key', merchant_account: 'Account id', base_url: 'Address of the API' },
  },
]

const open = (answers: Answers = {}) =>
  openDashboard('/gateways', {
    answers: { [LIST]: data([SANDBOX, ADYEN]), 'GET /api/gateway_types': data(TYPES), ...answers },
  })
const rowOf = async (name: RegExp) => within(await screen.findByRole('row', { name }))
const dialog = () => within(screen.getByRole('dialog'))

describe('the gateways', () => {
  it('are listed with their type, their stored details and which is the default', async () => {
    await open()
    const cells = (row: Awaited<ReturnType<typeof rowOf>>) =>
      row.getAllByRole('cell').map(({ textContent }) => textContent)
    expect(cells(await rowOf(/^Sandbox/))).toEqual([
      'Sandbox',
      'Sandbox: moves no money',
      'None needed',
      'Default',
      'Test',
    ])
    expect(cells(await rowOf(/^Adyen/)).slice(1, 4)).toEqual(['Adyen', 'Stored, encrypted', 'When named'])
  })

  it('can only be read by a viewer', async () => {
    await open({ 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
    await rowOf(/^Adyen/)
    expect(screen.queryByRole('button', { name: /Test|Make default|Add a gateway/ })).toBeNull()
  })

  it('say what is missing where there is none, and can be tried again', async () => {
    await open({ [LIST]: [noAnswer, data([])] })
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No gateway yet')).toBeDefined()
  })

  it.each([
    [true, 'Adyen AU: It lets you in.'],
    [false, 'Adyen AU: It refuses the key.'],
  ])('are tested, and say what was answered: %s', async (ok, words) => {
    const message = words.slice('Adyen AU: '.length)
    await open({ [`POST /api/gateways/${ADYEN.id}/test`]: data({ ok, message }) })
    await person.click((await rowOf(/^Adyen/)).getByRole('button', { name: 'Test' }))
    expect((await screen.findByText(words)).parentElement?.className).toBe(`toast ${ok ? 'good' : 'bad'}`)
  })
})

describe('another default gateway', () => {
  const CHANGE = `PATCH /api/gateways/${ADYEN.id}`
  const BACK = `PATCH /api/gateways/${SANDBOX.id}`
  const after = [
    { ...SANDBOX, is_default: false },
    { ...ADYEN, is_default: true },
  ]

  it('is chosen after a confirmation, and can be undone', async () => {
    const { sent } = await open({
      [LIST]: [data([SANDBOX, ADYEN]), data(after), data(after), data([SANDBOX, ADYEN])],
      [CHANGE]: data({}),
      [BACK]: data({}),
    })
    await person.click((await rowOf(/^Adyen/)).getByRole('button', { name: 'Make default' }))
    expect(sent.some(({ line }) => line === CHANGE)).toBe(false)
    await person.click(dialog().getByRole('button', { name: 'Make default' }))
    await person.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent.filter(({ line }) => line === BACK)).toHaveLength(1))
    expect(sent.filter(({ line }) => line === CHANGE).map(({ body }) => body)).toEqual([{ is_default: true }])
  })

  it('that is refused says why in the question', async () => {
    await open({ [CHANGE]: refusal(404, 'not_found', 'There is no such gateway.') })
    await person.click((await rowOf(/^Adyen/)).getByRole('button', { name: 'Make default' }))
    await person.click(dialog().getByRole('button', { name: 'Make default' }))
    expect(await dialog().findByText('There is no such gateway.')).toBeDefined()
  })
})

describe('a new gateway', () => {
  const fill = async (label: string, text: string) => {
    const field = dialog().getByLabelText(label)
    await person.clear(field)
    await person.type(field, text)
  }
  const ADD = 'POST /api/gateways'
  const openForm = async (answer = data({ ...ADYEN }, { status: 201 })) => {
    const opened = await open({ [ADD]: answer })
    await person.click(await screen.findByRole('button', { name: 'Add a gateway' }))
    await dialog().findByLabelText('Name')
    return opened
  }
  const submit = () => person.click(dialog().getByRole('button', { name: 'Add a gateway' }))
  const sentBy = ({ sent }: Awaited<ReturnType<typeof openForm>>) => sent.filter(({ line }) => line === ADD)

  it('sends what was entered once, and shows it nowhere afterwards', async () => {
    const opened = await openForm()
    await submit()
    expect(sentBy(opened)).toEqual([])
    await fill('API key', 'AQE-secret')
    await fill('Merchant account', 'AcmeECOM')
    await fill('Address of the Checkout API', 'https://checkout-test.adyen.com/v71')
    await submit()
    expect(await screen.findByText('Adyen was added.')).toBeDefined()
    const credentials = {
      api_key: 'AQE-secret',
      merchant_account: 'AcmeECOM',
      base_url: 'https://checkout-test.adyen.com/v71',
    }
    expect(sentBy(opened).map(({ body }) => body)).toEqual([
      { name: 'Adyen', type: 'adyen', is_default: false, credentials },
    ])
    expect(document.body.innerHTML).not.toContain('AQE-secret')
  })

  it('of another type has the words, name and address of that one', async () => {
    const opened = await openForm()
    await person.click(dialog().getByLabelText('Stripe'))
    await fill('Secret key', 'sk_test_1')
    await fill('Account id', 'acct_1')
    await submit()
    expect(await screen.findByText('Stripe was added.')).toBeDefined()
    expect(sentBy(opened).map(({ body }) => body)).toMatchObject([
      {
        ...{ name: 'Stripe', type: 'stripe' },
        credentials: { merchant_account: 'acct_1', base_url: 'https://api.stripe.com' },
      },
    ])
  })

  it('that is refused names the field', async () => {
    const details = [{ path: 'credentials.base_url', message: 'must be a server of Adyen' }]
    await openForm(refusal(400, 'validation_error', 'No.', details))
    for (const label of ['API key', 'Merchant account', 'Address of the Checkout API']) await fill(label, 'x')
    await submit()
    expect(await dialog().findByText(/must be a server of Adyen/)).toBeDefined()
  })
})
