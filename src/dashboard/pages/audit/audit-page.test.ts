import { screen, within } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import type { ChainView, EventView } from '../../../contract/dashboard/audit.ts'
import { data } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, SESSION } from '../../testing/open-dashboard.ts'

const ADA = { id: '6b01799184f819f4cecbe1b1', name: 'Ada Lovelace', is_former: false }
const ALAN = { id: '6b01799184f819f4cecbe1b2', name: 'Alan Turing', is_former: true }
const CHARGE_ID = '6b01799184f819f4cecbe1c1'
const INTACT: ChainView = {
  is_intact: true,
  length: 1234,
  verified_length: 1200,
  verified_at: '2026-11-21T09:58:00.000Z',
  broken_at: null,
}
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

const entry = (over: Partial<EventView>): EventView => ({
  id: '6b01799184f819f4cecbe1d1',
  type: 'user.signed_in',
  subject: ADA.id,
  actor: `user:${ADA.id}`,
  facts: {},
  created_at: '2026-11-21T09:00:00.000Z',
  ...over,
})

const open = (events: EventView[], address = '/audit', answers: Answers = {}) =>
  openDashboard(address, {
    answers: {
      'GET /api/events': data(events),
      'GET /api/events/chain': data(INTACT),
      'GET /api/people': data([ADA, ALAN]),
      ...answers,
    },
  })
const cells = async () =>
  within((await screen.findAllByRole('row')).at(1) ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

describe('an entry of the audit log', () => {
  it('says what was done by whom, from which address and device, and when', async () => {
    const facts = { address: '203.0.113.7', user_agent: FIREFOX, by: ['password', 'totp'] }
    await open([entry({ facts })])
    expect(await cells()).toEqual([
      'Signed in',
      'Ada Lovelace',
      'Ada Lovelace',
      'With: password, authenticator app',
      '203.0.113.7Firefox on Windows',
      '21 Nov 2026, 8:00 pm',
    ])
  })

  it('of a request says what was asked for and the result, and links to what it is about', async () => {
    const facts = {
      act: 'DELETE /v1/charges/:id/capture',
      subject: CHARGE_ID,
      address: '203.0.113.7',
      status: 403,
      request_id: 'req-1',
    }
    await open([entry({ type: 'user.acted', actor: `user:${ALAN.id}`, subject: CHARGE_ID, facts })])
    expect((await cells()).slice(0, 4)).toEqual([
      'Asked to cancel a charge',
      CHARGE_ID,
      'Alan Turing (former member)',
      'Refused (403) · Request: req-1',
    ])
    expect(screen.getByRole('link', { name: CHARGE_ID }).getAttribute('href')).toBe(`/charges/${CHARGE_ID}`)
  })

  it.each<[Partial<EventView>, string[]]>([
    [
      {
        type: 'charge.captured',
        actor: 'merchant',
        facts: { amount: 750, currency: 'AUD', status: 'complete' },
      },
      ['Charge captured', 'Ada Lovelace', 'Your company', 'Amount: $7.50 · Status: Captured'],
    ],
    [
      { type: 'payment.settled', actor: 'service', facts: { agreement: 'a1', amount: 1200 } },
      ['Payment settled', 'Ada Lovelace', 'The service', 'Agreement: a1 · Amount: $12.00'],
    ],
    [
      {
        type: 'dispute.evidence_due',
        actor: 'service',
        facts: { charge: 'c1', status: 'needs_response', stage: 'second_chargeback', amount: 1200 },
      },
      [
        'Dispute to be answered soon',
        'Ada Lovelace',
        'The service',
        'Charge: c1 · Status: Needs response · Stage: second chargeback · Amount: $12.00',
      ],
    ],
    [
      { type: 'agreement.accepted', actor: 'debtor', facts: {} },
      ['Agreement accepted', 'Ada Lovelace', 'The payer', ''],
    ],
    [
      { type: 'agreement.accepted', actor: 'somebody-new', facts: {} },
      ['Agreement accepted', 'Ada Lovelace', 'somebody-new', ''],
    ],
    [
      {
        type: 'origins.changed',
        actor: 'operator:root',
        subject: SESSION.merchant.id,
        facts: { allowed_origins: [] },
      },
      ['Allowed origins changed', SESSION.merchant.name, 'Operator root', 'Origins: none'],
    ],
    [
      {
        type: 'key.revoked',
        actor: 'user:gone',
        facts: { kind: 'secret', revoked_at: '2026-11-22T00:00:00.000Z' },
      },
      [
        'API key revoked',
        'Ada Lovelace',
        'Somebody who has left',
        'Type: secret · Ends: 22 Nov 2026, 11:00 am',
      ],
    ],
    [
      {
        type: 'charges.exported',
        subject: SESSION.merchant.id,
        facts: { address: '203.0.113.7', search: 'order-1', amount_from: '10.50' },
      },
      ['Charges exported', SESSION.merchant.name, 'Ada Lovelace', 'Search: order-1 · Amount from: 10.50'],
    ],
    [
      { type: 'gateway.added', facts: { name: 'my_gateway', is_default: true } },
      ['Gateway added', 'Ada Lovelace', 'Ada Lovelace', 'Name: my_gateway · Default: yes'],
    ],
  ])('is put into words: %j', async (over, words) => {
    await open([entry(over)])
    expect((await cells()).slice(0, 4)).toEqual(words)
  })

  it('stands apart from the texts in it, so that none turns the words beside it around', async () => {
    await open([entry({ type: 'gateway.added', facts: { name: 'a\u202eb', is_default: true } })])
    const facts = (await screen.findByText('Default: yes')).parentElement
    expect([...(facts?.querySelectorAll('bdi') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Name: a\u202eb',
      'Default: yes',
    ])
  })

  it('of a webhook that was removed leads nowhere', async () => {
    await open([entry({ type: 'webhook.removed', subject: 'w1', facts: { url: 'https://a.example/<b>' } })])
    expect((await cells())[3]).toBe('Address: https://a.example/<b>')
    expect(screen.queryByRole('link', { name: 'w1' })).toBeNull()
  })
})

describe('the filters of the audit log', () => {
  it('by who acted and by what it is about stand in the address and in the request', async () => {
    const { lines, address } = await open([entry({})])
    await screen.findByRole('option', { name: 'Ada Lovelace' })
    const actor = screen.getByLabelText('By')
    expect([...actor.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'Any',
      'Everybody on the dashboard',
      'Ada Lovelace',
      'Alan Turing (former member)',
      'Your company',
      'The service',
      'The payer',
      'The card holder',
      'The gateway',
    ])
    await person.selectOptions(actor, `user:${ALAN.id}`)
    await person.type(screen.getByLabelText('About (id)'), `${CHARGE_ID}{Enter}`)
    await person.tab()
    const query = new URLSearchParams({ actor: `user:${ALAN.id}`, subject: CHARGE_ID }).toString()
    expect(address()).toBe(`/audit?${query}`)
    const asked = `GET /api/events?subject=${CHARGE_ID}&actor=${encodeURIComponent(`user:${ALAN.id}`)}`
    await vi.waitFor(() => expect(lines()).toContain(asked))
  })

  it('of a link are shown, also one that is not offered', async () => {
    await open([entry({})], '/audit?actor=operator%3Aroot&type=user.reset')
    expect(await screen.findByRole('option', { name: 'operator:root', selected: true })).toBeDefined()
    expect(screen.getByRole('option', { name: 'user.reset', selected: true })).toBeDefined()
  })

  it('that find nothing can be cleared', async () => {
    await open([], `/audit?subject=${CHARGE_ID}`)
    expect(await screen.findByText('No matching entry')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Clear filters' }).getAttribute('href')).toBe('/audit')
  })
})

it('an empty log says what will stand there', async () => {
  await open([])
  expect(await screen.findByText('Nothing yet')).toBeDefined()
})

it.each([
  [INTACT, 'The chain is intact.'],
  [{ ...INTACT, is_intact: false, broken_at: 7 }, 'The chain is broken. Entry 7 is not as it was sealed.'],
  [{ ...INTACT, verified_at: null }, 'The first check of the chain is under way.'],
])('the chain is told of: %j', async (chain, words) => {
  await open([], '/audit', { 'GET /api/events/chain': data(chain) })
  await screen.findByText('Nothing yet')
  expect(document.body.textContent).toContain(words)
})
