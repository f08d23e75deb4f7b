import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { pairOf } from './charge-store.ts'
import { NO_FILTER } from './search.ts'
import type { ChargeSearch } from './search.ts'
import { searchPlaces } from './search.ts'
import { soughtIn } from './search.ts'
import type { Sought } from './search.ts'

const fill = `
  INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference, customer,
    payment_source, created_at)
  SELECT substr(md5(n::text), 1, 24), CASE WHEN n % 5 = 0 THEN 'other' ELSE 'me' END,
    CASE WHEN n % 13 = 0 THEN 'rare' ELSE 'usual' END, '\\x00',
    CASE WHEN n < 100 OR n % 9 = 0 THEN 'failed' ELSE 'complete' END, true, 100 * (1 + n % 30), 'AUD',
    CASE WHEN n % 4 > 0 THEN CASE WHEN n % 7 = 0 THEN 'order-1' ELSE 'order-' || n END END,
    CASE WHEN n % 3 = 0 THEN json_build_object('email', 'Ada' || n % 10 || '@Shop.example') ELSE '{}' END,
    json_build_object('card_scheme', CASE WHEN n > 590 OR n % 11 = 0 THEN 'amex' ELSE 'visa' END,
      'card_number_last4', CASE n % 6 WHEN 0 THEN '1234' ELSE '9999' END,
      'card_name', CASE WHEN n % 8 = 0 THEN 'Grace Hopper' ELSE 'Ada Lovelace' || n END),
    '2026-01-01'::timestamptz + n / 3 * interval '1 hour'
  FROM generate_series(1, 600) n;
  INSERT INTO attempts (id, charge_id, type, amount, outcome, external_id, ask_after)
  SELECT substr(md5('sale' || n), 1, 24), substr(md5(n::text), 1, 24), 'sale', 100, 'approved', upper(substr(md5('psp' || n), 1, 16)), now()
  FROM generate_series(1, 20) n;
  INSERT INTO attempts (id, charge_id, type, amount, outcome, external_id, ask_after)
  VALUES ('another try', substr(md5('1'), 1, 24), 'refund', 100, 'approved', upper(substr(md5('psp2'), 1, 16)), now());
  UPDATE charges SET metadata = jsonb_build_object('channel', CASE WHEN created_at < '2026-01-05' THEN 'web' ELSE 'app' END);
  INSERT INTO charge_metadata SELECT merchant_id, ${String(pairOf('channel', 'web'))}, created_at, id FROM charges
    WHERE metadata ->> 'channel' = 'web' OR id = substr(md5('599'), 1, 24);
  UPDATE charges SET reference = '1234' WHERE id = substr(md5('7'), 1, 24);
  UPDATE charges SET reference = substr(md5('8'), 1, 24) WHERE id = substr(md5('9'), 1, 24);
  UPDATE charges SET reference = 'Ωmega-1' WHERE id = substr(md5('11'), 1, 24);`

interface Stored {
  id: string
  merchant_id: string
  gateway_id: string
  status: string
  amount: number
  reference: string | null
  scheme: string
  last4: string
  email: string | null
  card_name: string
  channel: string
  transactions: string[] | null
  created_at: Date
}
const readAll = testStatement<Stored>(
  't_all_charges',
  `SELECT id, merchant_id, gateway_id, status, amount, reference, payment_source ->> 'card_scheme' AS scheme,
          payment_source ->> 'card_number_last4' AS last4, customer ->> 'email' AS email, payment_source ->> 'card_name' AS card_name, metadata ->> 'channel' AS channel,
          (SELECT array_agg(lower(id)) || array_agg(lower(external_id)) FROM attempts WHERE charge_id = charges.id) AS transactions, created_at
   FROM charges ORDER BY created_at DESC, id DESC`,
)

let database: Database
let stored: Stored[]
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
  stored = await database.run(readAll, [])
})
afterAll(() => database.close())

/** Whether it has a text, in any case, as one of its ids, digits or names. */
function isNamed({ id, last4, transactions, card_name: name, email }: Stored, text: string): boolean {
  const names = [id, last4, ...(transactions ?? []), name, email ?? '']
  return names.some((one) => one.toLowerCase() === text.toLowerCase())
}

/** What a list must hold, by the words of its API. */
function expected(search: ChargeSearch): string[] {
  const { q, status, scheme, gatewayId, amountFrom, amountTo, from, to } = search
  const folded = (text: string | null) => text?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null
  const isReference = stored.some((one) => one.merchant_id === 'me' && folded(one.reference) === folded(q))
  const beginning = folded(q)?.replace(/(?<=.)\*$/, '') ?? ''
  const isFound = (one: Stored) =>
    q === null ||
    isNamed(one, q) ||
    q === `channel=${one.channel}` ||
    q === `A$${(one.amount / 100).toFixed(2)}` ||
    (isReference
      ? folded(one.reference) === folded(q)
      : folded(one.reference)?.startsWith(beginning) === true)
  const isKind = (one: Stored) =>
    (status ?? one.status) === one.status &&
    (scheme ?? one.scheme) === one.scheme &&
    (gatewayId ?? one.gateway_id) === one.gateway_id
  const isInside = (one: Stored) =>
    (amountFrom ?? 0) <= one.amount &&
    (amountTo ?? Infinity) >= one.amount &&
    (from ?? one.created_at) <= one.created_at &&
    (to === null || one.created_at < to)
  const fits = (one: Stored) => one.merchant_id === 'me' && isKind(one) && isInside(one)
  return stored.filter((one) => fits(one) && isFound(one)).map(({ id }) => id)
}

/** Every page from the first to the last, with the size of each. */
async function listed(search: Partial<ChargeSearch>, bounds: { maxLookedAt: number; few: number }) {
  const whole: ChargeSearch = { ...NO_FILTER, q: null, from: null, to: null, after: null, ...search }
  const ids: string[] = []
  let after: Position | null = null
  do {
    const { places, next } = await searchPlaces(database, 'me', { ...whole, after }, 10, bounds)
    expect(places.length).toBeLessThanOrEqual(10)
    ids.push(...places.map(({ id }) => id))
    after = next
  } while (after !== null)
  return { ids, expected: expected(whole) }
}

const day = (text: string) => new Date(`2026-01-${text}T00:00:00Z`)
const searches: Record<string, Partial<ChargeSearch>> = {
  everything: {},
  'a common status': { status: 'complete' },
  'a rare status, mostly old': { status: 'failed' },
  'a status that none has': { status: 'refunded' },
  'a scheme': { scheme: 'amex' },
  'a gateway': { gatewayId: 'rare' },
  'an exact amount': { amountFrom: 500, amountTo: 500 },
  'a range of amounts': { amountFrom: 700, amountTo: 1900 },
  'amounts from one on': { amountFrom: 2900 },
  'amounts up to one': { amountTo: 200 },
  'a time': { from: day('03'), to: day('05') },
  'several at once': {
    status: 'failed',
    scheme: 'amex',
    gatewayId: 'usual',
    amountFrom: 100,
    amountTo: 2000,
  },
  'a status within a time': { status: 'failed', from: day('02'), to: day('07') },
  'an id': { q: '8f14e45fceea167a5a36dedd' },
  'an id that is also a reference': { q: 'c9f0f895fb98ab9159f51fd0' },
  'an id of another merchant': { q: 'e4da3b7fbbce2345d7772b06' },
  'four digits, a card and a reference': { q: '1234' },
  'four digits of many cards': { q: '9999' },
  'four digits and a rare status': { q: '9999', status: 'failed' },
  'four digits and a status, a card and a reference': { q: '1234', status: 'complete' },
  'four digits and a status that none has': { q: '9999', status: 'refunded' },
  'a reference that several have': { q: 'order-1' },
  'how references begin': { q: 'order-' },
  'how few references begin': { q: 'order-59' },
  'a beginning that is a reference too': { q: 'order-1*' },
  'letters of another alphabet': { q: 'Ωme' },
  'a reference in other letters': { q: 'ORDER-1' },
  'a beginning in other letters': { q: 'Order-' },
  'another case of letters beyond A to Z': { q: 'ωme' },
  'an id in capitals': { q: '8F14E45FCEEA167A5A36DEDD' },
  'an e-mail address': { q: 'ADA3@shop.example' },
  'an e-mail address and a status': { q: 'ada3@shop.example', status: 'failed' },
  'the gateway’s id': { q: '714B31262A091258' },
  'the gateway’s id in small letters': { q: '714b31262a091258' },
  'the gateway’s id of two charges': { q: '045BB7570BF736AF' },
  'the gateway’s id and a status that it has not': { q: '1D82B46B34EC9884', status: 'pending' },
  'the gateway’s id of another merchant': { q: '5F858752F73A9EF8' },
  'the id of a transaction': { q: '0392444323443cb785292119' },
  'a name on cards': { q: 'grace HOPPER' },
  'a name on cards and a status': { q: 'Grace Hopper', status: 'failed' },
  'how a name on cards begins': { q: 'Grace' },
  'an amount': { q: 'A$5.00' },
  'an amount within a range': { q: 'A$5.00', amountFrom: 400, amountTo: 600 },
  'an amount outside of a range': { q: 'A$5.00', amountFrom: 600 },
  'a text of metadata, whose pair another text has too': { q: 'channel=web' },
  'a text of metadata and a status': { q: 'channel=web', status: 'failed' },
  'a search and filters': { q: 'order-', status: 'failed', amountTo: 1000 },
  'what a pattern would take for anything': { q: '%' },
}

describe.each([
  ['looking at few charges in each request', { maxLookedAt: 17, few: 5 }],
  ['putting ranges in order', { maxLookedAt: 40, few: 1000 }],
])('%s', (_, bounds) => {
  it.each(Object.entries(searches))(
    '%s: every charge that fits, once, newest first',
    async (_name, search) => {
      const found = await listed(search, bounds)
      expect(found.ids).toEqual(found.expected)
    },
  )
})

it('the searches of this test find something, but for those that must not', () => {
  const whole = { ...NO_FILTER, q: null, from: null, to: null, after: null }
  const none = Object.entries(searches).filter(([, search]) => expected({ ...whole, ...search }).length === 0)
  expect(none.map(([name]) => name)).toEqual([
    'a status that none has',
    'an id of another merchant',
    'four digits and a status that none has',
    'another case of letters beyond A to Z',
    'the gateway’s id and a status that it has not',
    'the gateway’s id of another merchant',
    'how a name on cards begins',
    'an amount outside of a range',
    'what a pattern would take for anything',
  ])
})

const ID = '6b01799184f819f4cecbe1c1'
const NOTHING = { id: null, last4: null, amount: null, email: null, transaction: null }
const PSP = 'NC6HT9CRT65ZGN82'

it.each<[string, Partial<Sought>]>([
  [ID, { id: ID, transaction: ID }],
  [ID.toUpperCase(), { id: ID, transaction: ID.toUpperCase() }],
  [` ${ID}\u200b\n`, { id: ID, transaction: ID }],
  [`"${ID}"`, { id: ID, transaction: ID }],
  [`Charge ${ID}, please refund`, { id: ID, transaction: ID }],
  [`https://dashboard.example/charges/${ID}?tab=all`, { id: ID, transaction: ID }],
  [`${ID}0`, { transaction: `${ID}0` }],
  [PSP, { transaction: PSP }],
  [` ${PSP.toLowerCase()}. `, { transaction: PSP.toLowerCase() }],
  [`PSP reference: ${PSP}`, { transaction: PSP }],
  [
    `https://ca-live.adyen.com/ca/ca/accounts/showTx.shtml?pspReference=${PSP}&txType=Payment`,
    { transaction: PSP },
  ],
  ['8825408195409505', { transaction: '8825408195409505' }],
  ['internationalisation', {}],
  ['1118', { last4: '1118' }],
  ['•••• 1118', { last4: '1118' }],
  ['**** 1118', { last4: '1118' }],
  ['····1118', { last4: '1118' }],
  ['Visa •••• 1118', { last4: '1118' }],
  ['XXXX-1118', { last4: '1118' }],
  ['card ending in 1118', { last4: '1118' }],
  ['**** **** **** 1118', { last4: '1118' }],
  ['xxxx-xxxx-xxxx-1118', { last4: '1118' }],
  ['411111******1118', { last4: '1118' }],
  ['4111 11XX XXXX 1118', { last4: '1118' }],
  ['...1118', { last4: '1118' }],
  ['…1118', { last4: '1118' }],
  ['x1118', { last4: '1118' }],
  ['Visa •••• 1118, expires 01/39', { last4: '1118' }],
  ['ends in: 1118.', { last4: '1118' }],
  ['last four digits 1118', { last4: '1118' }],
  ['１１１８', { last4: '1118' }],
  ['١١١٨', { last4: '1118' }],
  ['•••• 11189', {}],
  ['matrix 1118', {}],
  ['-$120.00', { amount: 120_00 }],
  ['($120.00)', { amount: 120_00 }],
  ['$120.00.', { amount: 120_00 }],
  ['￥１，２００', { amount: 1200_00 }],
  ['A$120', { amount: 120_00 }],
  ['$1,200.50', { amount: 1200_50 }],
  ['120.00', { amount: 120_00 }],
  ['120,00', { amount: 120_00 }],
  ['1.200,50 €', { amount: 1200_50 }],
  ['1 200,50 EUR', { amount: 1200_50 }],
  ['AUD 1\u00a0200.50', { amount: 1200_50 }],
  ["CHF 1'200.00", { amount: 1200_00 }],
  ['$0', {}],
  ['120', {}],
  ['INV-120.00', {}],
  ['Ada@Shop.example', { email: 'Ada@Shop.example' }],
  ['<ada@shop.example>', { email: 'ada@shop.example' }],
  ['@ada', {}],
  ['Ada Lovelace <ada@shop.example>', { email: 'ada@shop.example' }],
  ['mailto:ada@shop.example?subject=Hello', { email: 'ada@shop.example' }],
  ['ada@shop.example, bob@shop.example', { email: 'ada@shop.example' }],
  ["Write to o'neil@shop.example.", { email: "o'neil@shop.example" }],
])('%j is searched as %j', (typed, expected) => {
  expect(soughtIn(typed)).toMatchObject({ ...NOTHING, ...expected })
})

it.each([
  ['Grace Hopper', 'Grace Hopper'],
  ['  "GRACE   HOPPER", ', 'GRACE HOPPER'],
  ['Zo\u0065\u0308', 'Zo\u00eb'],
  ['J. R. D’Arcy', 'J. R. D’Arcy'],
  ['1118', null],
  ['A$120', null],
  ['ada@shop.example', null],
  ['INV-7', null],
  [ID, null],
])('the name on a card in %j is %j', (typed, cardName) => {
  expect(soughtIn(typed).cardName).toBe(cardName)
})

it.each([
  ['INV-7', ['INV-7']],
  [' “INV-7”,', [' “INV-7”,', 'INV-7']],
  ['#1042', ['#1042', '1042']],
  ['Zo\u0065\u0308', ['Zo\u0065\u0308', 'Zo\u00eb']],
  ['Zo\u00eb', ['Zo\u00eb', 'Zo\u0065\u0308']],
  ['order\u00a012', ['order\u00a012', 'order 12']],
  ['See INV-7.', ['See INV-7.', 'See INV-7']],
  ['INV\u20117', ['INV\u20117', 'INV-7']],
  ['INV\u20137', ['INV\u20137', 'INV-7']],
  ['ＩＮＶ－７', ['ＩＮＶ－７', 'INV-7']],
  ['Ada’s', ['Ada’s', "Ada's"]],
  ['№5', ['№5', 'No5']],
])('the reference %j is looked for as %j', (typed, references) => {
  expect(soughtIn(typed).references).toEqual(references)
})

it.each([
  ['order_id=A1', 'order_id', 'A1'],
  ['order_id: A1', 'order_id', 'A1'],
  ['metadata[order_id]=A1', 'order_id', 'A1'],
  ['metadata.order_id = A1', 'order_id', 'A1'],
  ['note=a=b: c', 'note', 'a=b: c'],
])('%j is searched for as a text of metadata', (typed, name, words) => {
  expect(soughtIn(typed).pair).toEqual({ name, words })
})

it.each(['order_id', 'order_id=', '=A1', ': A1'])('%j is no text of metadata', (typed) => {
  expect(soughtIn(typed).pair).toBeNull()
})
