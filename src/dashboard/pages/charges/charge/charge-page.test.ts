import { act, screen, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { data, later, noAnswer, refusal, worthRepeating } from '../../../testing/answers.ts'
import type { Answers } from '../../../testing/answers.ts'
import { createEventStream } from '../../../testing/event-stream.ts'
import { openDashboard, person, SESSION, sessionOf } from '../../../testing/open-dashboard.ts'
import { dispute } from '../../disputes/testing/dispute-examples.ts'
import type { Attempt } from './texts.ts'
import { capturedCharge, CHARGE_ID, heldCharge, timeline } from '../testing/charge-examples.ts'

const CHARGE = `GET /v1/charges/${CHARGE_ID}`
const TIMELINE = `GET /api/charges/${CHARGE_ID}/timeline`
const DISPUTES = 'GET /v1/disputes'
const CAPTURE = `POST /v1/charges/${CHARGE_ID}/capture`
const REFUND = `POST /v1/charges/${CHARGE_ID}/refunds`

const ADA = { id: '6b01799184f819f4cecbe1b1', name: 'Ada Lovelace', is_former: false }

const open = (charge: ChargeResource, answers: Answers = {}, browser = {}) =>
  openDashboard(`/charges/${CHARGE_ID}`, {
    answers: { [CHARGE]: data(charge), [TIMELINE]: data(timeline()), [DISPUTES]: data([]), ...answers },
    browser,
  })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))
const typeAmount = async (label: string, amount: string) => {
  const field = dialog().getByLabelText(label)
  await person.clear(field)
  await person.type(field, amount)
}

describe('a charge', () => {
  it('is shown with its attempts, the newest first, and who asked for each', async () => {
    const attempts = timeline(
      { type: 'capture', amount: 7.5, actor: `user:${SESSION.user.id}` },
      { type: 'refund', outcome: 'declined', amount: 2, error_message: 'No.', actor: `user:${ADA.id}` },
      { type: 'refund', outcome: 'open', amount: 3, reference: 'return-1' },
    )
    await open(capturedCharge(7.5), {
      [TIMELINE]: data(attempts),
      'GET /api/people': data([ADA]),
    })
    await screen.findByText(/By Ada Lovelace/)
    const entries = within(await screen.findByRole('list', { name: 'Timeline' }))
    const words = entries.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(words.map((text) => text.replace('21 Nov 2026, 8:00 pm', ' | ').split('Gateway and')[0])).toEqual([
      'Refund of $3.00 has no answer yet | By your server · Reference: return-1',
      'Refund of $2.00 was declined | No.By Ada Lovelace, on the dashboard',
      'Captured $7.50 | By you',
      'Held $10.00 | By your server',
    ])
  })

  it('that is not there says so, and leads back to the list', async () => {
    await openDashboard(`/charges/${CHARGE_ID}`)
    expect((await screen.findByRole('alert')).textContent).toContain('No answer for')
    expect(screen.getByRole('link', { name: 'Charges', current: false }).getAttribute('href')).toBe(
      '/charges',
    )
  })

  it('offers a viewer only buttons that read', async () => {
    await open(heldCharge(), { 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
    await screen.findByRole('heading', { name: /Held/ })
    expect(screen.queryByRole('button', { name: /Capture|Cancel|Refund|Edit/ })).toBeNull()
  })

  it('offers nothing while an outcome is open', async () => {
    const waiting = timeline({ type: 'capture', outcome: 'open' })
    await open(heldCharge(), { [TIMELINE]: data(waiting) })
    await screen.findByText(/The outcome of the newest attempt is unknown/)
    expect(screen.queryByRole('button', { name: 'Capture' })).toBeNull()
  })

  it('is read again when something has happened to it', async () => {
    const stream = createEventStream()
    await open(heldCharge(), { [CHARGE]: [data(heldCharge()), data(capturedCharge(10))] }, stream)
    await screen.findByRole('heading', { name: /Held/ })
    stream.tell('charge.captured', 'f'.repeat(24))
    stream.tell('charge.captured', CHARGE_ID)
    await act(() => new Promise((done) => setTimeout(done, 500)))
    expect(screen.getByRole('heading', { name: /Captured/ })).toBeDefined()
  })
})

describe('a charge whose card holder is authenticated', () => {
  const ASKED_AT = '2026-11-21T09:00:01.000Z'
  const ENDED_AT = '2026-11-21T09:02:00.000Z'
  const authentication = (
    change: Partial<NonNullable<Attempt['authentication']>> = {},
  ): Attempt['authentication'] => ({
    status: 'authenticated',
    asked_by: 'bank',
    flow: 'challenge',
    asked: { at: ASKED_AT, webhooks: [] },
    ended: { at: ENDED_AT, webhooks: [] },
    ...change,
  })
  const resource: NonNullable<ChargeResource['_3ds']> = {
    id: '6b01799184f819f4cecbe1d1',
    expires_at: '2026-11-21T09:15:01.000Z',
    status: 'authenticated',
    asked_by: 'bank',
    version: '2.2.0',
    flow: 'challenge',
    trans_status: 'Y',
    trans_status_reason: null,
    eci: '05',
    ds_trans_id: '6f6b7d3c-62dd-4f3a-9f8e-2d7c4a0f1b11',
    liability_shifted: true,
  }
  const saleWith = (change: Partial<Attempt>) => {
    const { attempts, ...rest } = timeline()
    return data({ ...rest, attempts: attempts.map((sale) => ({ ...sale, ...change })) })
  }
  const entries = async () => {
    const list = within(await screen.findByRole('list', { name: 'Timeline' }))
    return list
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent.replace(/21 Nov 2026, \d:\d\d pm/, ' | ').split('Gateway and')[0])
  }
  const facts = async () => {
    const part = within(await screen.findByRole('region', { name: '3-D Secure' }))
    return part.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])
  }

  it('waits while the bank asks them, and is said to be at the bank', async () => {
    const waiting = authentication({ status: 'pending', flow: null, ended: null })
    await open(
      heldCharge({
        status: 'pre_authentication_pending',
        _3ds: { ...resource, status: 'pending', flow: null, trans_status: null, liability_shifted: null },
      }),
      { [TIMELINE]: saleWith({ outcome: 'open', settled_at: null, authentication: waiting }) },
    )
    await screen.findByRole('heading', { name: /At the bank/ })
    expect(await entries()).toEqual([
      'The bank asks the card holder | Wanted by the bank, which had declined without it',
      'Hold of $10.00 waits for the card holder | By your server',
    ])
    expect(screen.getByText(/bank is asking them.*until 21 Nov 2026, 8:15 pm/)).toBeDefined()
    expect(screen.queryByText(/outcome of the newest attempt is unknown/)).toBeNull()
    expect((await facts()).map(([name]) => name)).toContain('Time until')
  })

  it('shows when they were asked, what that brought, and then the money', async () => {
    await open(heldCharge({ _3ds: resource }), {
      [TIMELINE]: saleWith({ settled_at: ENDED_AT, authentication: authentication() }),
    })
    expect(await entries()).toEqual([
      'Held $10.00 | By your server',
      'The bank has authenticated the card holder | With a question to the card holder',
      'The bank asked the card holder | Wanted by the bank, which had declined without it',
    ])
    expect(await facts()).toEqual([
      ['State', 'Authenticated'],
      ['How', 'With a question to the card holder'],
      ['Why', 'Wanted by the bank, which had declined without it'],
      ['Liability', 'The bank bears a fraud'],
      ['Transaction status', 'Y: authenticated'],
      ['Version', '2.2.0'],
      ['ECI', '05'],
      ['Directory’s id', '6f6b7d3c-62dd-4f3a-9f8e-2d7c4a0f1b11'],
      ['Authentication id', expect.stringContaining('6b01799184f819f4cecbe1d1')],
    ])
  })

  it('where nobody was asked says that the bank had no question', async () => {
    const without = authentication({
      status: 'attempted',
      asked_by: 'gateway',
      flow: 'frictionless',
      asked: null,
    })
    const unasked = { ...resource, status: 'attempted', flow: 'frictionless', expires_at: null } as const
    await open(heldCharge({ _3ds: unasked }), { [TIMELINE]: saleWith({ authentication: without }) })
    expect(await entries()).toEqual([
      'Held $10.00 | By your server',
      'The bank stands in for the card holder | Without a question',
    ])
    expect((await facts()).map(([name]) => name)).not.toContain('Why')
  })

  it.each([
    ['cancelled', 'The card holder gave up'],
    ['timed_out', 'Nobody finished in time'],
  ] as const)('and who did not finish is not called declined: %s', async (status, words) => {
    await open(
      heldCharge({ status: 'not_authenticated', _3ds: { ...resource, status, trans_status: null } }),
      {
        [TIMELINE]: saleWith({
          outcome: 'declined',
          error_code: 'not_authenticated',
          error_message: 'Nothing was taken.',
          authentication: authentication({ status, flow: null }),
        }),
      },
    )
    await screen.findByRole('heading', { name: /Not authenticated/ })
    expect((await entries()).slice(0, 2)).toEqual([
      'Hold of $10.00 was not made | Nothing was taken.By your server',
      `${words} | `,
    ])
  })

  it('says what webhooks were told of each step', async () => {
    const sent = {
      ...{ webhook_id: '6b01799184f819f4cecbe1d2', url: 'https://shop.example/hook', attempts: 1 },
      ...{
        status: 'delivered' as const,
        last_status: 200,
        last_fault: null,
        next_at: null,
        delivered_at: null,
      },
    }
    const told = authentication({ asked: { at: ASKED_AT, webhooks: [sent] } })
    await open(heldCharge({ _3ds: resource }), { [TIMELINE]: saleWith({ authentication: told }) })
    expect((await entries()).at(-1)).toContain('Delivered https://shop.example/hook')
  })
})

describe('a capture', () => {
  it('of a part says what happens with the rest, and takes the part', async () => {
    const { sent } = await open(heldCharge(), { [CAPTURE]: data(capturedCharge(7.5), { status: 201 }) })
    await person.click(await button('Capture'))
    await typeAmount('Amount to capture', '7,5')
    expect(dialog().getByText(/takes \$7.50 from Visa •••• 0026 .* other \$2.50 go back/)).toBeDefined()
    await person.click(dialog().getByRole('button', { name: 'Capture $7.50' }))
    expect(sent.find(({ line }) => line === CAPTURE)?.body).toEqual({ amount: '7.50' })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('$7.50 captured.')).toBeDefined()
  })

  it('of more than is held is not sent', async () => {
    const { lines } = await open(heldCharge())
    await person.click(await button('Capture'))
    await typeAmount('Amount to capture', '10.01')
    await person.click(dialog().getByRole('button', { name: 'Capture' }))
    expect(dialog().getByText('This may be $10.00 at most.')).toBeDefined()
    expect(lines()).not.toContain(CAPTURE)
  })

  it('whose answer was lost is repeated under the same key, also from another dialog', async () => {
    const answers = [noAnswer, noAnswer, data(capturedCharge(10))]
    const { sent } = await open(heldCharge(), { [CAPTURE]: answers })
    await person.click(await button('Capture'))
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    await person.click(dialog().getByRole('button', { name: 'Back' }))
    await person.click(await button('Capture'))
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    const keys = sent.filter(({ line }) => line === CAPTURE).map(({ key }) => key)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  it('of unknown outcome closes the dialog, as it may be done already, and the page says so', async () => {
    const answers = {
      [CAPTURE]: worthRepeating(refusal(503, 'outcome_unknown', 'x')),
      [TIMELINE]: [data(timeline()), data(timeline({ type: 'capture', outcome: 'open' }))],
    }
    await open(heldCharge(), answers)
    await person.click(await button('Capture'))
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await screen.findByText(/The outcome of the newest attempt is unknown/)
    expect(screen.queryByText('$10.00 captured.')).toBeNull()
  })

  it('that is refused says why, and may be tried again under another key', async () => {
    const declined = refusal(422, 'transaction_declined', 'The issuer declined.')
    const { sent } = await open(heldCharge(), { [CAPTURE]: [declined, data(capturedCharge(10))] })
    await person.click(await button('Capture'))
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    expect(dialog().getByText('The issuer declined.')).toBeDefined()
    await person.click(dialog().getByRole('button', { name: 'Capture $10.00' }))
    const keys = sent.filter(({ line }) => line === CAPTURE).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })
})

it.each([
  ['form', 'Capture', 'Capture $10.00', CAPTURE],
  ['question', 'Cancel hold', 'Cancel hold', `DELETE /v1/charges/${CHARGE_ID}/capture`],
])('a refusal that comes once the %s is closed is told by a message', async (_, first, confirm, request) => {
  const { answer, give } = later(refusal(422, 'transaction_declined', 'The issuer declined.'))
  await open(heldCharge(), { [request]: answer })
  await person.click(await button(first))
  await person.click(dialog().getByRole('button', { name: confirm }))
  await person.click(dialog().getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  give()
  expect(await screen.findByText('The issuer declined.')).toBeDefined()
})

it('a hold is cancelled after a confirmation that names amount and card', async () => {
  const path = `DELETE /v1/charges/${CHARGE_ID}/capture`
  const { lines } = await open(heldCharge(), { [path]: data(heldCharge({ status: 'cancelled' })) })
  await person.click(await button('Cancel hold'))
  expect(dialog().getByText(/held \$10.00 go back to Visa •••• 0026/)).toBeDefined()
  expect(lines()).not.toContain(path)
  await person.click(dialog().getByRole('button', { name: 'Cancel hold' }))
  expect(lines()).toContain(path)
})

it('a refund gives back what is left at most, with a reference', async () => {
  const { sent } = await open(capturedCharge(7.5, 2.5), { [REFUND]: data(capturedCharge(7.5, 4.5)) })
  await person.click(await button('Refund'))
  expect(dialog().getByText(/Up to \$5.00/)).toBeDefined()
  await typeAmount('Amount to refund', '2')
  await person.type(dialog().getByLabelText(/^Reference/), ' return-2 ')
  expect(dialog().getByText(/gives \$2.00 back .* Another \$3.00 can be refunded/)).toBeDefined()
  await person.click(dialog().getByRole('button', { name: 'Refund $2.00' }))
  expect(sent.find(({ line }) => line === REFUND)?.body).toEqual({ amount: '2.00', reference: 'return-2' })
})

describe('the details of a charge', () => {
  const EDIT = `PATCH /v1/charges/${CHARGE_ID}`
  const openDialog = async (charge: ChargeResource, answers: Answers = {}) => {
    const opened = await open(charge, answers)
    await person.click(await button('Edit details'))
    return opened
  }

  it('show metadata, and what stands on the card’s statement', async () => {
    await open(heldCharge({ metadata: { order_id: 'A1' }, statement_descriptor: 'Acme Shop' }))
    expect((await screen.findByText('order_id')).nextElementSibling?.textContent).toBe('A1')
    expect(screen.getByText('On the statement').nextElementSibling?.textContent).toBe('Acme Shop')
  })

  it('are edited, and nothing is sent but what has changed', async () => {
    const charge = heldCharge({ metadata: { order_id: 'A1', note: 'x' } })
    const { sent } = await openDialog(charge, { [EDIT]: data(charge) })
    await person.clear(dialog().getByLabelText(/Reference/))
    const metadata = dialog().getByLabelText(/Metadata/)
    await person.clear(metadata)
    await person.type(metadata, 'order_id: A1\ntable: 7')
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    await screen.findByText('Details saved.')
    expect(sent.filter(({ line }) => line === EDIT).map(({ body }) => body)).toEqual([
      { reference: null, metadata: { note: null, table: '7' } },
    ])
  })

  it('are not sent while nothing has changed, or a line of metadata has no name', async () => {
    const { sent } = await openDialog(heldCharge())
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    await screen.findByText('Nothing has changed.')
    await person.type(dialog().getByLabelText(/Metadata/), 'table 7')
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    await screen.findByText(/Write a name, a colon and a text/)
    expect(sent.filter(({ line }) => line === EDIT)).toEqual([])
  })

  it('leave metadata alone that can’t be written in lines, and say so', async () => {
    const charge = heldCharge({ metadata: { 'a:b': 'c' } })
    const { sent } = await openDialog(charge, { [EDIT]: data(charge) })
    await dialog().findByText(/can’t be written in lines/)
    await person.type(dialog().getByLabelText(/Description/), 'Two chairs')
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    await screen.findByText('Details saved.')
    expect(sent.filter(({ line }) => line === EDIT).map(({ body }) => body)).toEqual([
      { description: 'Two chairs' },
    ])
  })
})

describe('a charge that is disputed', () => {
  const openWith = (change: Parameters<typeof dispute>[0], charge = capturedCharge(10)) =>
    open(charge, { [DISPUTES]: data([dispute(change)]) })
  const closed = { actions: [] }

  it.each([
    ['open', {}, /disputes \$10\.00 of this charge\. It is to be answered in 3 days\. Do not refund it/],
    ['an inquiry', { stage: 'inquiry' } as const, /no money has moved: a refund can still settle it/],
    [
      'under review',
      { ...closed, status: 'under_review' } as const,
      /is under review\. Do not refund it meanwhile/,
    ],
    ['too late', { ...closed, respond_by: '2026-11-20T10:00:00.000Z' }, /was not answered in time/],
    ['lost', { ...closed, status: 'lost' } as const, /was lost\. Do not refund it as well/],
    ['accepted', { ...closed, status: 'accepted' } as const, /was accepted\. Do not refund it as well/],
  ])('says what that means for its money: %s', async (_, change, words) => {
    await openWith(change)
    expect(await screen.findByText(words)).toBeDefined()
    const link = screen.getByRole('link', { name: 'Show dispute' })
    expect(link.getAttribute('href')).toBe(`/disputes/${dispute()._id}`)
  })

  it('keeps its link to a dispute that was won, and warns no more', async () => {
    await openWith({ ...closed, status: 'won' })
    const disputes = within(await screen.findByRole('list', { name: 'Disputes' }))
    expect(disputes.getByRole('listitem').textContent).toBe('$10.00 · Not received Won 21 Nov 2026')
    expect(screen.queryByRole('link', { name: 'Show dispute' })).toBeNull()
  })

  it('offers no refund of what was charged back, and warns before one of the rest', async () => {
    const charge = capturedCharge(10)
    const statistics = { ...charge.statistics, total_disputed_amount: 6, total_charged_back_amount: 6 }
    await openWith({ amount: 6 }, { ...charge, statistics })
    await person.click(await button('Refund'))
    expect(dialog().getByText(/^\$6\.00 of this charge is disputed/)).toBeDefined()
    expect(dialog().getByText(/Up to \$4\.00/)).toBeDefined()
    expect(screen.getByText('Charged back').nextElementSibling?.textContent).toBe('$6.00')
  })

  it('says so where its disputes can’t be read', async () => {
    await open(capturedCharge(10), { [DISPUTES]: noAnswer })
    expect(await screen.findByText(/can’t be seen whether this charge is disputed/)).toBeDefined()
  })

  it('is read again when something happens to a dispute', async () => {
    const stream = createEventStream()
    await open(capturedCharge(10), { [DISPUTES]: [data([]), data([dispute()])] }, stream)
    await screen.findByRole('heading', { name: /Captured/ })
    stream.tell('dispute.opened', dispute()._id)
    await act(() => new Promise((done) => setTimeout(done, 500)))
    expect(screen.getByText(/disputes \$10\.00 of this charge/)).toBeDefined()
  })
})
