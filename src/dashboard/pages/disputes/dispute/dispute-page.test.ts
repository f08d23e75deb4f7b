import { act, screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { DisputeResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import { data, later, noAnswer, refusal } from '../../../testing/answers.ts'
import type { Answers } from '../../../testing/answers.ts'
import { createEventStream } from '../../../testing/event-stream.ts'
import { openDashboard, person, sessionOf } from '../../../testing/open-dashboard.ts'
import { CHARGE_ID, heldCharge } from '../../charges/testing/charge-examples.ts'
import { answer, DEFENCES, dispute, DISPUTE_ID, document as fileOf } from '../testing/dispute-examples.ts'

const PATH = `/v1/disputes/${DISPUTE_ID}`
const GET = `GET ${PATH}`
const DEFENCES_LINE = `GET ${PATH}/defences`
const ADD = `POST ${PATH}/documents`
const DEFEND = `POST ${PATH}/defend`
const ACCEPT = `POST ${PATH}/accept`

const open = (shown: DisputeResource, answers: Answers = {}, browser = {}) =>
  openDashboard(`/disputes/${DISPUTE_ID}`, {
    answers: {
      [GET]: data(shown),
      [DEFENCES_LINE]: data(DEFENCES),
      [`GET /v1/charges/${CHARGE_ID}`]: data(heldCharge()),
      ...answers,
    },
    browser,
  })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))
const pdf = (name = 'delivery.pdf', size = 3) =>
  new File(['x'.repeat(size)], name, { type: 'application/pdf' })
const choose = async (what: string, file: File) => {
  const input = await screen.findByLabelText<HTMLInputElement>(`Choose a file: ${what}`)
  await person.upload(input, file)
}
const place = (what: string) => {
  const item = screen.getByText(what).closest('li')
  if (item === null) throw new Error(`${what} has no place`)
  return within(item)
}

describe('a dispute says where it stands, and what that means', () => {
  const closed = { actions: [] }
  it.each<[string, Partial<DisputeResource>, RegExp]>([
    ['open', {}, /Answer by 24 Nov 2026, 9:00 pm \(in 3 days\)\. Without .* keeps \$10\.00\./],
    ['an inquiry', { stage: 'inquiry' }, /the inquiry can become a chargeback/],
    ['without a deadline', { respond_by: null }, /does not tell until when/],
    ['a defence on its way', { ...closed, answer: answer() }, /Your defence is on its way/],
    ['accepted, on its way', { ...closed, answer: answer({ action: 'accept' }) }, /that you accept/],
    [
      'refused',
      { answer: answer({ state: 'refused', message: 'No file.' }) },
      /take your answer: No file\. Put right/,
    ],
    ['its time over', { ...closed, respond_by: '2026-11-21T09:59:00.000Z' }, /ended on 21 Nov 2026, 8:59/],
    ['elsewhere', closed, /can’t be answered here\. Answer it in the pages of Sandbox, .* dp_1.*in 3 days/],
    [
      'under review',
      { ...closed, status: 'under_review', answer: answer({ state: 'sent' }) },
      /at your defence/,
    ],
    ['reviewed elsewhere', { ...closed, status: 'under_review' }, /bank decides\. Nothing else/],
    ['won', { ...closed, status: 'won', funds_withdrawn: false }, /You have won\. \$10\.00 is yours\./],
    ['won, unpaid', { ...closed, status: 'won' }, /has not given \$10\.00 back so far/],
    ['lost', { ...closed, status: 'lost' }, /for the card holder, who keeps \$10\.00/],
    ['accepted', { ...closed, status: 'accepted' }, /You have accepted this dispute/],
  ])('%s', async (_, change, words) => {
    await open(dispute(change))
    expect(await screen.findByText(words)).toBeDefined()
    const mayBeAnswered = (change.actions ?? ['accept']).length > 0
    expect(screen.queryAllByRole('button', { name: 'Accept dispute' })).toHaveLength(mayBeAnswered ? 1 : 0)
  })

  it('in plain words what is claimed, what is at stake and what would help', async () => {
    await open(dispute())
    expect(await screen.findByText(/they paid for something that never came/)).toBeDefined()
    expect(screen.getByText(/charged \$10\.00 back, and the gateway has taken it from you/)).toBeDefined()
    expect(screen.getByText(/carrier, tracking number/)).toBeDefined()
  })

  it('once more, that only something new helps', async () => {
    await open(dispute({ stage: 'second_chargeback' }))
    expect(await screen.findByText(/did not accept the first defence/)).toBeDefined()
  })

  it('once more, with what was answered before and which file was sent', async () => {
    const old = fileOf({ _id: '1'.repeat(24), name: 'old.pdf' })
    const before = { ...answer({ state: 'sent', statement: 'It came.' }), stage: 'chargeback' } as const
    const earlier_answers = [{ ...before, documents: [old, fileOf()] }]
    await open(dispute({ stage: 'second_chargeback', documents: [fileOf()], earlier_answers }))
    const title = await screen.findByRole('region', { name: 'What you answered to the first chargeback' })
    const section = within(title)
    expect(section.getByText('It came.')).toBeDefined()
    expect(section.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'old.pdf',
      'delivery.pdf',
    ])
    expect(section.getByRole('link', { name: 'old.pdf' }).getAttribute('href')).toBe(
      `${PATH}/documents/${old._id}`,
    )
    await screen.findByText('Proof of delivery')
    expect(place('Proof of delivery').getByText('Required · sent with your earlier answer')).toBeDefined()
    expect(place('Invoice').getByText('Optional')).toBeDefined()
  })

  it('once more, with why an answer before was not taken', async () => {
    const refused = { ...answer({ state: 'refused', message: 'Too late.' }), stage: 'inquiry' } as const
    await open(dispute({ earlier_answers: [{ ...refused, documents: [] }] }))
    expect(await screen.findByText('What you answered to the inquiry')).toBeDefined()
    expect(screen.getByText('Not taken').nextElementSibling?.textContent).toBe('Too late.')
  })

  it('with the scheme’s code and words, its charge and card, and its history', async () => {
    await open(dispute())
    const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent
    await screen.findByText('ADA LOVELACE')
    expect(fact('Scheme’s code')).toBe('13.1')
    expect(fact('In the bank’s words')).toBe('Merchandise not received')
    expect(fact('Money')).toBe('Taken from you')
    expect(fact('Card')).toBe('Visa •••• 0026')
    expect(screen.getByRole('link', { name: 'Open the charge' }).getAttribute('href')).toBe(
      `/charges/${CHARGE_ID}`,
    )
    const entry = within(screen.getByRole('list', { name: 'History' })).getByRole('listitem')
    expect(entry.textContent).toBe('Disputed21 Nov 2026, 8:00 pmChargeback · Charged back')
  })

  it('with what was answered, and its files to save', async () => {
    await open(
      dispute({
        actions: [],
        status: 'under_review',
        answer: answer({ state: 'sent', statement: 'It came on Monday.' }),
        documents: [fileOf(), fileOf({ _id: '1'.repeat(24), type: 'letters', name: 'not-sent.pdf' })],
      }),
    )
    const link = await screen.findByRole('link', { name: 'delivery.pdf' })
    expect(link.getAttribute('href')).toBe(`${PATH}/documents/${fileOf()._id}`)
    expect(link.getAttribute('download')).toBe('delivery.pdf')
    expect(screen.getByText('It came on Monday.')).toBeDefined()
    expect(screen.getByText('The goods were delivered')).toBeDefined()
    expect(screen.queryByText('not-sent.pdf')).toBeNull()
    expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull()
  })
})

it('a viewer reads a dispute, and is told who can answer it', async () => {
  await open(dispute(), { 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
  expect(await screen.findByText(/Tell an owner or a developer/)).toBeDefined()
  expect(screen.queryByRole('button', { name: /Accept|Send|Choose/ })).toBeNull()
})

it('a dispute is read again when something has happened to it', async () => {
  const stream = createEventStream()
  const won = dispute({ status: 'won', actions: [], funds_withdrawn: false })
  await open(dispute(), { [GET]: [data(dispute()), data(won)] }, stream)
  await button('Accept dispute')
  stream.tell('dispute.won', DISPUTE_ID)
  await act(() => new Promise((done) => setTimeout(done, 500)))
  expect(screen.getByRole('heading', { name: /Won/ })).toBeDefined()
})

describe('a file', () => {
  it('is sent as base64 with the type of its place, and then stands there', async () => {
    const { sent } = await open(dispute(), { [ADD]: data(dispute({ documents: [fileOf()] })) })
    await person.click(await screen.findByLabelText('The goods were delivered'))
    await choose('Proof of delivery', pdf())
    expect(await screen.findByRole('link', { name: 'delivery.pdf' })).toBeDefined()
    expect(sent.filter(({ line }) => line === ADD).map(({ body }) => body)).toEqual([
      {
        type: 'proof_of_delivery',
        name: 'delivery.pdf',
        content_type: 'application/pdf',
        content: btoa('xxx'),
      },
    ])
    expect(place('Proof of delivery').getByText('120 kB')).toBeDefined()
  })

  it('shows that it is on its way, and its defence waits for it', async () => {
    const { answer: added, give } = later(data(dispute({ documents: [fileOf()] })))
    await open(dispute(), { [ADD]: added })
    await person.click(await screen.findByLabelText('The goods were delivered'))
    await choose('Proof of delivery', pdf())
    expect(screen.getByRole('progressbar', { name: 'delivery.pdf is being sent …' })).toBeDefined()
    await person.click(await button('Send defence'))
    expect(screen.getByText(/still being sent/)).toBeDefined()
    give()
    expect(await screen.findByRole('link', { name: 'delivery.pdf' })).toBeDefined()
    expect(screen.queryByText(/still being sent/)).toBeNull()
  })

  it('is sent once the one before it has arrived, so that no answer takes another’s file away', async () => {
    const invoice = fileOf({ _id: '1'.repeat(24), type: 'invoice', name: 'invoice.pdf' })
    const first = later(data(dispute({ documents: [fileOf()] })))
    const both = data(dispute({ documents: [fileOf(), invoice] }))
    const { lines } = await open(dispute(), { [ADD]: [first.answer, both] })
    await person.click(await screen.findByLabelText('The goods were delivered'))
    await choose('Proof of delivery', pdf())
    await choose('Invoice', pdf('invoice.pdf'))
    expect(screen.getAllByRole('progressbar')).toHaveLength(2)
    expect(lines().filter((line) => line === ADD)).toHaveLength(1)
    first.give()
    expect(await screen.findByRole('link', { name: 'invoice.pdf' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'delivery.pdf' })).toBeDefined()
  })

  it('that is dropped beside its place does not take the place of the page', async () => {
    await open(dispute({ documents: [fileOf()] }))
    await button('Remove delivery.pdf')
    const isTaken = (type: string) => window.dispatchEvent(new Event(type, { cancelable: true }))
    await waitFor(() => expect(['dragover', 'drop'].map(isTaken)).toEqual([false, false]))
  })

  it('that can’t be taken is not sent, and its place says why', async () => {
    const { lines } = await open(dispute({ documents: [fileOf({ type: 'invoice', size: 2_000_000 })] }))
    await choose('Proof of delivery', pdf('large.pdf', 500_001))
    const alert = await place('Proof of delivery').findByRole('alert')
    expect(alert.textContent).toMatch(/With large\.pdf all files would have 2\.51 MB/)
    expect(lines()).not.toContain(ADD)
  })

  it('that the service refuses says so in its place, and may be chosen again', async () => {
    const details = [{ path: 'content', message: 'is no whole PDF file. Save it again' }]
    await open(dispute(), {
      [ADD]: [refusal(422, 'validation_error', 'Wrong.', details), data(dispute({ documents: [fileOf()] }))],
    })
    await person.click(await screen.findByLabelText('The goods were delivered'))
    await choose('Proof of delivery', pdf())
    expect(
      await place('Proof of delivery').findByText('delivery.pdf is no whole PDF file. Save it again.'),
    ).toBeDefined()
    await choose('Proof of delivery', pdf())
    expect(await screen.findByRole('link', { name: 'delivery.pdf' })).toBeDefined()
    expect(screen.queryByText('delivery.pdf is no whole PDF file. Save it again.')).toBeNull()
  })

  it('whose answer was lost, but that arrived, is shown without a fault', async () => {
    await open(dispute(), {
      [GET]: [data(dispute()), data(dispute({ documents: [fileOf()] }))],
      [ADD]: noAnswer,
    })
    await person.click(await screen.findByLabelText('The goods were delivered'))
    await choose('Proof of delivery', pdf())
    expect(await screen.findByRole('link', { name: 'delivery.pdf' })).toBeDefined()
    expect(place('Proof of delivery').queryByRole('alert')).toBeNull()
  })

  it('is removed, and its place is free again', async () => {
    const { lines } = await open(dispute(), {
      [GET]: [data(dispute({ documents: [fileOf()] })), data(dispute())],
      [`DELETE ${PATH}/documents/${fileOf()._id}`]: data(dispute()),
    })
    await person.click(await button('Remove delivery.pdf'))
    expect(await screen.findByLabelText('Choose a file: Proof of delivery')).toBeDefined()
    expect(lines()).toContain(`DELETE ${PATH}/documents/${fileOf()._id}`)
  })

  it('of another defence is shown apart, and is not sent', async () => {
    await open(
      dispute({ documents: [fileOf(), fileOf({ _id: '1'.repeat(24), type: 'letters', name: 'l.pdf' })] }),
    )
    const others = within(await screen.findByRole('list', { name: 'Other files' }))
    expect(others.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['l.pdf'])
    await person.click(await button('Send defence'))
    expect(dialog().getByText('The goods were delivered, with 1 file.')).toBeDefined()
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['delivery.pdf'])
  })
})

describe('a defence', () => {
  it('is not sent before it is chosen and has its documents, and says what is missing', async () => {
    const { lines } = await open(dispute())
    await person.click(await button('Send defence'))
    expect(screen.getByText('Choose how you defend it.')).toBeDefined()
    await person.click(screen.getByLabelText('The goods were delivered'))
    await person.click(await button('Send defence'))
    expect(screen.getByText('Still needed: Proof of delivery.')).toBeDefined()
    await person.click(screen.getByLabelText('The money was given back'))
    await person.click(await button('Send defence'))
    expect(screen.getByText('Still needed is one of these: Receipt of the refund; Letters.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(lines()).not.toContain(DEFEND)
  })

  it('is sent after a question that says that it is the only one', async () => {
    const ready = dispute({ documents: [fileOf()] })
    const sending = { ...ready, actions: [], answer: answer() }
    const { sent, lines } = await open(ready, { [DEFEND]: data(sending, { status: 202 }) })
    await person.type(await screen.findByLabelText(/In your own words/), ' It came on Monday. ')
    await person.click(await button('Send defence'))
    expect(dialog().getByText('The goods were delivered, with 1 file.')).toBeDefined()
    expect(dialog().getByText(/You can answer only once/)).toBeDefined()
    expect(lines()).not.toContain(DEFEND)
    await person.click(dialog().getByRole('button', { name: 'Send defence' }))
    expect(sent.find(({ line }) => line === DEFEND)?.body).toEqual({
      defence: 'goods_provided',
      statement: 'It came on Monday.',
      documents: [fileOf()._id],
    })
    expect(await screen.findByText(/Your defence is on its way/)).toBeDefined()
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  })

  it('that the gateway refused is there to be put right and sent once more', async () => {
    const refused = answer({ state: 'refused', message: 'No.', defence: 'refunded', statement: 'We did.' })
    await open(dispute({ answer: refused, documents: [fileOf()] }))
    const chosen = await screen.findByLabelText<HTMLInputElement>('The money was given back')
    expect(chosen.checked).toBe(true)
    expect(screen.getByLabelText<HTMLTextAreaElement>(/In your own words/).value).toBe('We did.')
  })

  it('keeps what was chosen and written while the person looks at the charge', async () => {
    await open(dispute({ documents: [fileOf()] }))
    await person.click(await screen.findByLabelText('The money was given back'))
    await person.type(await screen.findByLabelText(/In your own words/), 'It came')
    await person.click(screen.getByRole('link', { name: 'Open the charge' }))
    await screen.findByRole('heading', { name: 'Timeline' })
    window.history.back()
    const words = await screen.findByLabelText<HTMLTextAreaElement>(/In your own words/)
    expect(words.value).toBe('It came')
    expect(screen.getByLabelText<HTMLInputElement>('The money was given back').checked).toBe(true)
  })

  it('that was begun has the browser ask before its words are lost', async () => {
    await open(dispute({ documents: [fileOf()] }))
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const words = await screen.findByLabelText(/In your own words/)
    expect(isAsked()).toBe(false)
    await person.type(words, 'It came')
    await waitFor(() => expect(isAsked()).toBe(true))
    await person.clear(words)
    await waitFor(() => expect(isAsked()).toBe(false))
  })

  it('has no words of its own where the gateway takes none', async () => {
    const ready = dispute({ documents: [fileOf()] })
    const { sent } = await open(ready, {
      [DEFENCES_LINE]: data({ ...DEFENCES, takes_statement: false }),
      [DEFEND]: data({ ...ready, actions: [], answer: answer() }),
    })
    await person.click(await button('Send defence'))
    expect(screen.queryByLabelText(/In your own words/)).toBeNull()
    expect(dialog().queryByText(/no words of your own/)).toBeNull()
    await person.click(dialog().getByRole('button', { name: 'Send defence' }))
    expect(sent.find(({ line }) => line === DEFEND)?.body).toEqual({
      defence: 'goods_provided',
      documents: [fileOf()._id],
    })
  })

  it('is asked anew when somebody changes its files while the question is open', async () => {
    const stream = createEventStream()
    const other = fileOf({ _id: '1'.repeat(24), name: 'other.pdf' })
    const { lines } = await open(
      dispute({ documents: [fileOf()] }),
      { [GET]: [data(dispute({ documents: [fileOf()] })), data(dispute({ documents: [other] }))] },
      stream,
    )
    await person.click(await button('Send defence'))
    stream.tell('dispute.updated', DISPUTE_ID)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const said = 'The files have changed while you were asked: other.pdf came in, and delivery.pdf went out.'
    expect(screen.getByRole('alert').textContent).toContain(said)
    expect(lines()).not.toContain(DEFEND)
    await person.click(await button('Send defence'))
    expect(dialog().getByText('other.pdf')).toBeDefined()
    expect(screen.queryByText(/files have changed/)).toBeNull()
  })

  it('waits until a file is removed that no defence takes', async () => {
    const strange = fileOf({ _id: '1'.repeat(24), type: '__proto__', name: 'strange.pdf' })
    await open(dispute({ documents: [fileOf(), strange] }))
    const list = within(await screen.findByRole('list', { name: 'Files that no defence takes' }))
    expect(list.getByRole('button', { name: 'Remove strange.pdf' })).toBeDefined()
    await person.click(await button('Send defence'))
    expect(screen.getByRole('alert').textContent).toContain('takes in no defence: strange.pdf.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('that is refused says what is wrong with it', async () => {
    const details = [{ path: 'defence', message: 'can’t be sent while x.pdf is there' }]
    await open(dispute({ documents: [fileOf()] }), {
      [DEFEND]: refusal(
        400,
        'validation_error',
        'The request is not valid. Correct what details names.',
        details,
      ),
    })
    await person.click(await button('Send defence'))
    await person.click(dialog().getByRole('button', { name: 'Send defence' }))
    expect(dialog().getByRole('alert').textContent).toBe('This can’t be sent while x.pdf is there.')
  })

  it('whose answer was lost is repeated under the same key', async () => {
    const ready = dispute({ documents: [fileOf()] })
    const { sent } = await open(ready, {
      [DEFEND]: [noAnswer, data({ ...ready, actions: [], answer: answer() })],
    })
    await person.click(await button('Send defence'))
    await person.click(dialog().getByRole('button', { name: 'Send defence' }))
    expect(dialog().getByText(/unknown whether this was done/)).toBeDefined()
    await person.click(dialog().getByRole('button', { name: 'Send defence' }))
    const keys = sent.filter(({ line }) => line === DEFEND).map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('that the gateway does not offer leaves only to accept', async () => {
    await open(dispute(), { [DEFENCES_LINE]: data({ ...DEFENCES, defences: [] }) })
    expect(await screen.findByText(/offers no defence/)).toBeDefined()
    await open(dispute({ actions: ['accept'] }))
    expect(await screen.findByText(/takes no defence/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send defence' })).toBeNull()
  })

  it('that can’t be asked for now can be tried again, and the dispute be accepted meanwhile', async () => {
    await open(dispute(), { [DEFENCES_LINE]: [refusal(503, 'gateway_unavailable', 'x'), data(DEFENCES)] })
    await screen.findByText(/gateway can’t be reached/)
    expect(screen.getByRole('button', { name: 'Accept dispute' })).toBeDefined()
    await person.click(await button('Try again'))
    expect(await screen.findByLabelText('The goods were delivered')).toBeDefined()
  })
})

describe('a dispute is accepted', () => {
  it('after a question that says the amount, and that the money is gone already', async () => {
    const accepted = dispute({ actions: [], answer: answer({ action: 'accept', defence: null }) })
    const { lines } = await open(dispute(), { [ACCEPT]: data(accepted, { status: 202 }) })
    await person.click(await button('Accept dispute'))
    expect(dialog().getByText(/The card holder keeps \$10\.00, .* can’t be undone/)).toBeDefined()
    expect(dialog().getByText(/do not refund it as well/)).toBeDefined()
    expect(lines()).not.toContain(ACCEPT)
    await person.click(dialog().getByRole('button', { name: 'Accept dispute' }))
    expect(lines()).toContain(ACCEPT)
    expect(await screen.findByText(/on its way to the gateway that you accept/)).toBeDefined()
    expect(screen.queryByText(/You get it back if you win/)).toBeNull()
  })

  it('unless somebody was faster: then the refusal is told, and the page shows what happened', async () => {
    const won = dispute({ actions: [], status: 'won', funds_withdrawn: false })
    await open(dispute(), {
      [GET]: [data(dispute()), data(won)],
      [ACCEPT]: refusal(409, 'unfulfilled_condition', 'The dispute is won, and takes no answer any more.'),
    })
    await person.click(await button('Accept dispute'))
    await person.click(dialog().getByRole('button', { name: 'Accept dispute' }))
    expect(await screen.findByText(/takes no answer any more/)).toBeDefined()
    expect(await screen.findByRole('heading', { name: /Won/ })).toBeDefined()
  })
})
