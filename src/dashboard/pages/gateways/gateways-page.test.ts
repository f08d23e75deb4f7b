import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type {
  GatewayNotifications,
  GatewaySetup,
  GatewayType,
  GatewayView,
} from '../../../contract/dashboard/company/gateway.ts'
import { data, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, sessionOf } from '../../testing/open-dashboard.ts'

const SANDBOX: GatewayView = {
  id: '6b01799184f819f4cecbe1e1',
  name: 'Sandbox',
  type: 'sandbox',
  is_default: true,
  has_credentials: false,
  authentication: 'automatic',
}
const ADYEN: GatewayView = {
  id: '6b01799184f819f4cecbe1e2',
  name: 'Adyen AU',
  type: 'adyen',
  is_default: false,
  has_credentials: true,
  authentication: 'automatic',
}
const LIST = 'GET /api/gateways'
const finding = { api_key: 'Under API credentials.', merchant_account: 'At the top.', base_url: 'As it is.' }
const ADYENS_SETUP: GatewaySetup = {
  has_password: true,
  signing_key: { name: 'HMAC key', finding: 'Under Security.' },
  steps: ['Add a Standard webhook.', 'Generate an HMAC key.'],
  events: ['CAPTURE_FAILED', 'REFUND_FAILED'],
  test: 'Press Test configuration.',
}
const STRIPES_SETUP: GatewaySetup = {
  ...{ has_password: false, signing_key: { name: 'Signing secret', finding: 'It begins with whsec_.' } },
  ...{ steps: ['Add an endpoint.'], events: ['charge.*'], test: 'Run stripe trigger.' },
}
const can = {
  partial_capture: true,
  look_up: true,
  notifications: false,
  disputes: false,
  authentication: true,
}
const TYPES: readonly GatewayType[] = [
  {
    ...{ type: 'adyen', name: 'Adyen', usual_url: 'https://checkout-test.adyen.com/v72', can },
    ...{ finding, beforehand: 'Adyen has to allow raw card data.', setup: ADYENS_SETUP },
    words: {
      api_key: 'API key',
      merchant_account: 'Merchant account',
      base_url: 'Address of the Checkout API',
    },
  },
  {
    ...{ type: 'stripe', name: 'Stripe', usual_url: 'https://api.stripe.com', can },
    ...{ finding, beforehand: 'Stripe has to allow raw card data.', setup: STRIPES_SETUP },
    words: { api_key: 'Secret key', merchant_account: 'Account id', base_url: 'Address of the API' },
  },
]

const open = (answers: Answers = {}) =>
  openDashboard('/gateways', {
    answers: {
      [LIST]: data([SANDBOX, ADYEN]),
      'GET /api/gateway_types': data(TYPES),
      'GET /api/gateway_arrivals': data([{ id: ADYEN.id, arrival: 'arrives' }]),
      ...answers,
    },
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
      'Sends none',
      'Default',
      'Test',
    ])
    expect(cells(await rowOf(/^Adyen/)).slice(1, 5)).toEqual([
      'Adyen',
      'Stored, encrypted',
      'They arrive',
      'When named',
    ])
  })

  it.each([
    ['missing', 'Not set up'],
    ['waiting', 'Waiting'],
    ['refused', 'Refused'],
    ['silent', 'Nothing comes'],
  ])('say of each whether its notifications arrive: %s', async (arrival, words) => {
    await open({ 'GET /api/gateway_arrivals': data([{ id: ADYEN.id, arrival }]) })
    await waitFor(async () => expect((await rowOf(/^Adyen/)).getByText(words)).toBeDefined())
  })

  it('are listed, too, where it can’t be read whether notifications arrive', async () => {
    await open({ 'GET /api/gateway_arrivals': refusal(503, 'service_unavailable', 'x') })
    expect((await rowOf(/^Adyen/)).queryByText('Sends none')).toBeNull()
  })

  it('can only be read by a viewer', async () => {
    await open({ 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
    await rowOf(/^Adyen/)
    expect(screen.queryByRole('button', { name: /Test|Make default/ })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Connect a gateway' })).toBeNull()
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
  const main = () => within(screen.getByRole('main'))
  const fill = async (label: string, text: string) => {
    const field = main().getByLabelText(label)
    await person.clear(field)
    await person.type(field, text)
  }
  const ADD = 'POST /api/gateways'
  const added = { ...ADYEN, unchecked: null }
  const openForm = async (answer = data(added, { status: 201 })) => {
    const opened = await open({
      [ADD]: answer,
      [`GET /api/gateways/${ADYEN.id}`]: data({ ...ADYEN, account: null }),
      [`GET /api/gateways/${ADYEN.id}/notifications`]: data(stateOf({})),
    })
    await person.click(await screen.findByRole('link', { name: 'Connect a gateway' }))
    await main().findByLabelText('Name')
    return opened
  }
  const submit = () => person.click(main().getByRole('button', { name: 'Check and connect' }))
  const sentBy = ({ sent }: Awaited<ReturnType<typeof openForm>>) => sent.filter(({ line }) => line === ADD)

  it('sends what was entered once, shows it nowhere afterwards, and leads to its page', async () => {
    const opened = await openForm()
    await submit()
    expect(sentBy(opened)).toEqual([])
    await fill('API key', 'AQE-secret')
    await fill('Merchant account', 'AcmeECOM')
    await fill('Address of the Checkout API', 'https://checkout-test.adyen.com/v71')
    await submit()
    expect(await screen.findByText('Adyen AU takes the account, and was added.')).toBeDefined()
    const credentials = {
      api_key: 'AQE-secret',
      merchant_account: 'AcmeECOM',
      base_url: 'https://checkout-test.adyen.com/v71',
    }
    expect(sentBy(opened).map(({ body }) => body)).toEqual([
      { name: 'Adyen', type: 'adyen', is_default: false, credentials },
    ])
    expect(document.body.innerHTML).not.toContain('AQE-secret')
    expect(opened.address()).toBe(`/gateways/${ADYEN.id}?added=1`)
  })

  it('of another type has the words, name and address of that one', async () => {
    const opened = await openForm()
    await person.click(main().getByLabelText('Stripe'))
    expect(main().getByText('Stripe has to allow raw card data.')).toBeDefined()
    const lacks = 'Does not tell what happens to a payment later. Disputes are answered there, not here.'
    expect(main().getAllByText(lacks)).toHaveLength(2)
    await fill('Secret key', 'sk_test_1')
    await fill('Account id', 'acct_1')
    await submit()
    await screen.findByText(/takes the account/)
    expect(sentBy(opened).map(({ body }) => body)).toMatchObject([
      {
        ...{ name: 'Stripe', type: 'stripe' },
        credentials: { merchant_account: 'acct_1', base_url: 'https://api.stripe.com' },
      },
    ])
  })

  it('that the gateway refuses says so at the field', async () => {
    const details = [
      { path: 'credentials.api_key', message: 'Adyen does not let the API key in (HTTP 401).' },
    ]
    await openForm(refusal(400, 'validation_error', 'No.', details))
    for (const label of ['API key', 'Merchant account']) await fill(label, 'x')
    await submit()
    expect(await main().findByText(/does not let the API key in/)).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(main().getByLabelText('API key')))
  })

  it('that could not be asked says that it is not checked', async () => {
    await openForm(data({ ...ADYEN, unchecked: 'The gateway could not be reached.' }, { status: 201 }))
    for (const label of ['API key', 'Merchant account']) await fill(label, 'x')
    await submit()
    expect(await screen.findByText(/was added, and could not be asked.*Test it before/)).toBeDefined()
  })
})

function stateOf(state: Partial<GatewayNotifications>): GatewayNotifications {
  return {
    url: `https://pay.example/gateways/${ADYEN.id}/notifications`,
    ...{ arrival: 'missing', user: null, has_signing_key: false, has_former: false, changed_at: null },
    ...{ heard_at: null, newest_heard_at: null, refused: null, silent_since: null },
    ...{ waiting: 0, unexplained: 0, not_understood: 0 },
    ...state,
  }
}

describe('the page of an account', () => {
  const path = `/api/gateways/${ADYEN.id}`
  const STATE = `GET ${path}/notifications`
  const account = { merchant_account: 'AcmeECOM', base_url: 'https://checkout-test.adyen.com/v72' }
  const openPage = (answers: Answers, type = 'adyen') =>
    openDashboard(`/gateways/${ADYEN.id}`, {
      answers: {
        'GET /api/gateway_types': data(TYPES),
        [`GET ${path}`]: data({ ...ADYEN, type, account }),
        ...answers,
      },
    })
  const SET_UP: Partial<GatewayNotifications> = {
    arrival: 'waiting',
    user: 'svc-1',
    has_signing_key: true,
    changed_at: '2026-11-27T09:00:00.000Z',
  }
  const NOW = '2026-11-27T10:02:00.000Z'
  const part = async (name: string) => within(await screen.findByRole('region', { name }))

  it('leads from the address over the password, shown once, to the key', async () => {
    const made = { url: stateOf({}).url, user: 'svc-1', password: 'a-password' }
    const { sent } = await openPage({
      [STATE]: [data(stateOf({})), data(stateOf({ user: 'svc-1' }))],
      [`POST ${path}/notifications/password`]: data(made, { status: 201 }),
      [`PUT ${path}/notifications/signing_key`]: data(stateOf(SET_UP)),
    })
    const setup = await part('Notifications')
    expect(setup.getByText(stateOf({}).url)).toBeDefined()
    expect(screen.getByText('Not set up')).toBeDefined()
    await person.click(setup.getByRole('button', { name: 'Make user and password' }))
    expect(await dialog().findByText('a-password')).toBeDefined()
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('a-password')
    await person.type(setup.getByLabelText('HMAC key'), ' ABCD ')
    await person.click(setup.getByRole('button', { name: 'Save the HMAC key' }))
    expect(await screen.findByText(/^Waiting for the first notification/)).toBeDefined()
    expect(sent.find(({ line }) => line.startsWith('PUT'))?.body).toEqual({ signing_key: 'ABCD' })
    expect(document.body.innerHTML).not.toContain('ABCD')
  })

  it('says whether card holders are authenticated, and changes that', async () => {
    const changed = { ...ADYEN, authentication: 'never', account }
    const { sent } = await openPage({
      [`GET ${path}`]: [data({ ...ADYEN, account }), data(changed)],
      [STATE]: data(stateOf(SET_UP)),
      [`PATCH ${path}`]: data({ ...ADYEN, authentication: 'never' }),
    })
    const section = await part('3-D Secure')
    expect(section.getByText('Where a rule or the bank wants it.')).toBeDefined()
    await person.click(section.getByRole('button', { name: 'Change' }))
    await person.click(dialog().getByRole('radio', { name: 'Never' }))
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    expect(await (await part('3-D Secure')).findByText('Never.')).toBeDefined()
    expect(sent.find(({ line }) => line === `PATCH ${path}`)?.body).toEqual({ authentication: 'never' })
  })

  it('offers no change of 3-D Secure to who may not see secrets', async () => {
    await openPage({
      [STATE]: data(stateOf(SET_UP)),
      'GET /api/session': data(sessionOf({ role: 'viewer' })),
    })
    expect((await part('3-D Secure')).queryByRole('button')).toBeNull()
  })

  it('asks for no user and password where the gateway sends none', async () => {
    await openPage({ [STATE]: data(stateOf({ arrival: 'waiting', has_signing_key: true })) }, 'stripe')
    const setup = await part('Notifications')
    expect(setup.queryByText('User')).toBeNull()
    expect(setup.getByLabelText('Signing secret')).toBeDefined()
    expect(screen.getByText('Waiting')).toBeDefined()
  })

  it('shows by itself that the first notification has come', async () => {
    const heard = { ...SET_UP, arrival: 'arrives', heard_at: NOW, newest_heard_at: NOW } as const
    await openPage({ [STATE]: [data(stateOf(SET_UP)), data(stateOf(heard))] })
    await screen.findByText('Waiting')
    expect(await screen.findByText('They arrive', {}, { timeout: 5000 })).toBeDefined()
  })

  it.each([
    [
      'refused',
      { arrival: 'refused' as const, refused: { count: 2, at: NOW, why: 'Another HMAC key.' } },
      'Refused',
      /2 notifications were refused.*Another HMAC key/,
    ],
    [
      'no more, though payments were made',
      { arrival: 'silent' as const, heard_at: NOW, newest_heard_at: NOW, silent_since: NOW },
      'Nothing comes',
      /no notification has come since/,
    ],
    [
      'proved by the former key',
      { heard_at: NOW, has_former: true },
      'Waiting',
      /proved by the former secrets/,
    ],
  ])('says that notifications are %s', async (_, state, badge, words) => {
    await openPage({ [STATE]: data(stateOf({ ...SET_UP, ...state })) })
    const arrival = await part('Do notifications arrive?')
    expect(arrival.getByText(badge)).toBeDefined()
    expect(
      arrival.getAllByText((_text, element) => words.test(element?.textContent ?? '')).length,
    ).toBeGreaterThan(0)
  })

  it('no longer says what to do about refused ones, nor how to set up, once others have arrived', async () => {
    const refused = { count: 2, at: '2026-11-27T09:30:00.000Z', why: 'Another HMAC key.' }
    const heard = { ...SET_UP, arrival: 'arrives', refused, heard_at: NOW, newest_heard_at: NOW } as const
    await openPage({ [STATE]: data(stateOf(heard)) })
    const arrival = await part('Do notifications arrive?')
    expect(arrival.getByText(/2 notifications were refused/).textContent).toMatch(/nothing to do/)
    expect(arrival.queryByText(/Another HMAC key|Send a test|Anybody/)).toBeNull()
    const setup = await part('Notifications')
    const fold = setup.getByText('How it is set up at Adyen').closest('details')
    expect(fold?.open).toBe(false)
    expect(fold?.textContent).toContain('What to do at Adyen')
  })

  it('copies the names of all events', async () => {
    const { copied } = await openPage({ [STATE]: data(stateOf({})) })
    await person.click((await part('Notifications')).getByRole('button', { name: 'Copy events' }))
    expect(copied).toEqual(['CAPTURE_FAILED\nREFUND_FAILED'])
  })

  it.each([
    ['reached', 'good'],
    ['only_here', 'warning'],
    ['failed', 'bad'],
  ])('shows what the test of the address has found: %s', async (state, tone) => {
    await openPage({
      [STATE]: data(stateOf(SET_UP)),
      [`POST ${path}/notifications/test`]: data({ state, message: 'So it is.' }),
    })
    await person.click(await screen.findByRole('button', { name: 'Test the address' }))
    expect((await screen.findByText('So it is.')).closest('.notice')?.className).toBe(`notice ${tone}`)
  })

  it('ends former secrets after a question, which warns while the new ones have proved nothing', async () => {
    await openPage({
      [STATE]: data(stateOf({ ...SET_UP, has_former: true })),
      [`DELETE ${path}/notifications/former`]: data(stateOf(SET_UP)),
    })
    await person.click(await screen.findByRole('button', { name: 'End the former secrets' }))
    expect(dialog().getByText(/if they are wrong, all are refused/)).toBeDefined()
    await person.click(dialog().getByRole('button', { name: 'End the former secrets' }))
    expect(await screen.findByText('The former secrets are of no use any more.')).toBeDefined()
  })

  it('replaces the key, and says at the field that the gateway refuses it', async () => {
    const details = [{ path: 'api_key', message: 'Adyen does not let the API key in (HTTP 401).' }]
    const { sent } = await openPage({
      [STATE]: data(stateOf(SET_UP)),
      [`PUT ${path}/credentials`]: [
        refusal(400, 'validation_error', 'No.', details),
        data({ ...ADYEN, account }),
      ],
    })
    await person.click(await screen.findByRole('button', { name: 'Replace the key' }))
    await person.type(dialog().getByLabelText('API key'), 'AQE-next')
    const submit = () => person.click(dialog().getByRole('button', { name: 'Check and replace' }))
    await submit()
    expect(await dialog().findByText(/does not let the API key in/)).toBeDefined()
    await submit()
    expect(await screen.findByText(/The key was replaced/)).toBeDefined()
    expect(sent.findLast(({ line }) => line.startsWith('PUT'))?.body).toEqual({
      ...{ api_key: 'AQE-next', base_url: account.base_url },
    })
    expect(document.body.innerHTML).not.toContain('AQE-next')
  })

  it('lets a viewer see the state alone', async () => {
    await openPage({
      [STATE]: data(stateOf({ ...SET_UP, has_former: true })),
      'GET /api/session': data(sessionOf({ role: 'viewer' })),
    })
    await screen.findByText('Waiting')
    const main = within(screen.getByRole('main'))
    const buttons = main.queryAllByRole('button').map(({ textContent }) => textContent)
    expect(buttons.filter((words) => !/^(?:Copied|Copy)?$/.test(words))).toEqual([])
    expect(main.queryByRole('textbox')).toBeNull()
  })

  it('of the sandbox has nothing to set up', async () => {
    await openDashboard(`/gateways/${SANDBOX.id}`, {
      answers: {
        'GET /api/gateway_types': data(TYPES),
        [`GET /api/gateways/${SANDBOX.id}`]: data({ ...SANDBOX, account: null }),
      },
    })
    expect(await screen.findByText('Sandbox: moves no money')).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Notifications' })).toBeNull()
  })
})
