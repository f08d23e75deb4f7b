import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IN_VIEW_QUERY, inViewOf } from '../../../contract/dashboard/people/session-view.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { csvLine } from './export.ts'
import { createExportPlaces } from './export.ts'

const MANY = 4000
const fill = testStatement(
  't_fill_export',
  `WITH made AS (
     INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference, description,
       customer, payment_source, created_at)
     SELECT $3 || lpad(to_hex(n), 23, '0'), $1, 'g', '\\x00', 'complete', false, 1000 + n, 'AUD', 'bulk-' || n, repeat('words ', 80),
       '{"first_name":"Zoë"}', '{"card_scheme":"visa","card_number_last4":"4242","gateway_name":"Sandbox","gateway_type":"sandbox"}',
       '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
     FROM generate_series(1, $2::int) n RETURNING id, amount)
   INSERT INTO attempts (id, charge_id, type, amount, outcome, ask_after)
   SELECT reverse(id), id, 'sale', amount, 'approved', now() FROM made`,
)

const exported = testStatement<{ actor: string; subject: string; facts: object }>(
  't_exported',
  "SELECT actor, subject, facts FROM event_outbox WHERE type = 'charges.exported' ORDER BY created_at",
)

let service: TestService
let dashboard: TestDashboard
let address: string
beforeAll(async () => {
  dashboard = await createTestDashboard()
  service = dashboard.service
  await service.database.run(fill, [service.merchant.merchant.id, MANY, '0'])
  address = await dashboard.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => dashboard.close())

/** The beginning of an answer whose body nobody takes yet. */
function begin(cookie = dashboard.signIn()): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = `${address}/api/charges.csv`
    httpRequest(url, { headers: { cookie }, agent: false }, resolve).on('error', reject).end()
  })
}

/** Takes the rest of an answer. */
function endOf(answer: IncomingMessage): Promise<'broken off' | 'whole'> {
  return new Promise((resolve) => {
    answer.on('error', () => resolve('broken off')).on('end', () => resolve('whole'))
    answer.resume()
  })
}

/** Tries again and again until `work` answers with something. */
async function until<Result>(work: () => Promise<Result | null>): Promise<Result> {
  for (;;) {
    const result = await work()
    if (result !== null) return result
    await pause(20)
  }
}

describe('an export of charges', () => {
  it('has each charge once, newest first, below a heading', async () => {
    const { body, headers } = await dashboard.get('/api/charges.csv?created_at.from=2026-01-01T00:02:00Z')
    expect(headers['content-type']).toContain('text/csv')
    expect(headers['content-disposition']).toBe('attachment; filename="charges.csv"')
    const lines = body.trimEnd().split('\r\n')
    expect(lines.length).toBe(1 + MANY - 1)
    // Excel takes a file for UTF-8 by this mark alone.
    expect(lines[0]).toMatch(/^\ufeffid,created_at,status,amount,currency,/)
    const ids = lines.slice(1).map((line) => parseInt(line.slice(0, 24), 16))
    expect(ids).toEqual(Array.from({ length: MANY - 1 }, (_, at) => MANY - at))
  })

  it('writes two decimals, the currency, and times in the zone', async () => {
    const { body } = await dashboard.get('/api/charges.csv?q=bulk-1&time_zone=Australia/Adelaide')
    expect(body.split('\r\n')[1]).toMatch(
      /^0{23}1,2026-01-01T10:31:00\.000\+10:30,complete,10\.01,AUD,10\.01,0\.00,bulk-1,"words .*",Zoë,,visa,4242,Sandbox,,,,,,,,,,0\.00,0\.00,,,,$/,
    )
  })

  it('has metadata as JSON in one column, which no spreadsheet takes for a formula', async () => {
    const metadata = { order_id: 'A1', note: 'a,=1+1 "-2"', '=name': ';@x', date: '2026-11-27' }
    await service.authorise({ reference: 'with-metadata', metadata })
    const { body } = await dashboard.get('/api/charges.csv?q=with-metadata')
    const [names = '', line = ''] = body.trimEnd().split('\r\n')
    expect(names.split(',').at(-7)).toBe('metadata')
    const cell = /"(\{.*\})",0\.00,0\.00,,,,$/.exec(line)?.[1]?.replaceAll('""', '"') ?? ''
    expect(JSON.parse(cell)).toEqual(metadata)
    expect(cell).not.toMatch(/[,;]["\s]*[=+\-@']/)
    expect(cell).toContain('2026-11-27')
  })

  it('has the payer, captures, refunds and the gateway’s id', async () => {
    const charge = await service.authorise({ reference: 'told' })
    const calls = chargeCalls(service)
    await calls.capture(charge._id)
    await calls.refund(charge._id, { amount: '1.00' })
    const { body } = await dashboard.get('/api/charges.csv?q=told')
    const [names = '', line = ''] = body.trimEnd().split('\r\n')
    const cells = new Map(names.split(',').map((name, at) => [name, line.split(',')[at]]))
    expect(cells.get('card_holder')).toContain('Grace')
    expect(cells.get('captured_at')).toMatch(/^\d{4}-.*\+00:00$/)
    expect(cells.get('refunded_at')).toMatch(/^\d{4}-.*\+00:00$/)
    expect(cells.get('gateway_reference')).toMatch(/\w{8,}/)
  })

  it('is in the audit log before anything is sent', async () => {
    const cookie = dashboard.signIn()
    const query = 'q=bulk-1&status=complete&amount.from=10.50&created_at.from=2026-01-01T00:02:00Z'
    await dashboard.app.inject({ url: `/api/charges.csv?${query}`, headers: { cookie } })
    expect((await service.database.run(exported, [])).at(-1)).toEqual({
      actor: `user:${cookie.slice(-24)}`,
      subject: service.merchant.merchant.id,
      facts: {
        address: '127.0.0.1',
        search: 'bulk-1',
        status: 'complete',
        amount_from: '10.50',
        created_from: '2026-01-01T00:02:00.000Z',
      },
    })
  })

  it('lets no text of a shopper become a formula', async () => {
    await service.authorise({ reference: '=HYPERLINK("https://evil.example")' })
    const { body } = await dashboard.get('/api/charges.csv?q==HYPER')
    expect(body).toContain(`,"'=HYPERLINK(""https://evil.example"")",`)
  })

  it('has no line of another merchant', async () => {
    const { merchant } = await service.makeMerchant()
    const { body } = await dashboard.get('/api/charges.csv', merchant.id)
    expect(body.trimEnd().split('\r\n')).toHaveLength(1)
  })

  it.each([
    ['the merchant and the person that the page shows', 200, null],
    ['another merchant than the page shows', 403, 'f'.repeat(24)],
  ])('of a session of %s: %i', async (_, expected, shown) => {
    const cookie = dashboard.signIn()
    const inView = inViewOf(cookie.slice(-24), shown ?? service.merchant.merchant.id)
    const url = `/api/charges.csv?q=bulk-1&${new URLSearchParams({ [IN_VIEW_QUERY]: inView }).toString()}`
    const { statusCode, body } = await dashboard.app.inject({ url, headers: { cookie } })
    expect([statusCode, body.includes('bulk-1')]).toEqual([expected, expected === 200])
  })

  it.each(['time_zone=Mars/Olympus', 'time_zone=%2B10:00', 'limit=5', 'cursor=x', 'status=done'])(
    '?%s: 400',
    async (query) => {
      const { statusCode, headers } = await dashboard.get(`/api/charges.csv?${query}`)
      expect([statusCode, headers['content-type']]).toEqual([
        400,
        expect.stringContaining('application/json'),
      ])
    },
  )

  it('waits for a reader that takes nothing', async () => {
    const mine = [await begin(), await begin()]
    const { statusCode, headers } = await dashboard.get('/api/charges.csv')
    expect([statusCode, headers['retry-after']]).toEqual([429, '15'])
    const { merchant } = await service.makeMerchant()
    expect((await dashboard.get('/api/charges.csv', merchant.id)).statusCode).toBe(200)
    for (const one of mine) one.destroy()
    await until(async () =>
      (await dashboard.get('/api/charges.csv?q=bulk-1')).statusCode === 200 ? true : null,
    )
  })

  it('of three merchants that take nothing keep no other merchant waiting', async () => {
    const cookies: string[] = []
    for (const mark of ['a', 'b', 'c']) {
      const { merchant } = await service.makeMerchant()
      await service.database.run(fill, [merchant.id, MANY, mark])
      cookies.push(dashboard.signIn(merchant.id), dashboard.signIn(merchant.id))
    }
    const begun = await Promise.all(cookies.map(begin))
    expect((await dashboard.get('/api/charges.csv?q=bulk-1')).statusCode).toBe(200)
    for (const one of begun) one.destroy()
  })

  it('that fails on the way breaks its connection off', async () => {
    const answer = await begin()
    await service.database.script('ALTER TABLE charges RENAME COLUMN description TO was_description')
    const end = await endOf(answer)
    await service.database.script('ALTER TABLE charges RENAME COLUMN was_description TO description')
    expect(end).toBe('broken off')
  })

  it('ends with its session', async () => {
    const cookie = dashboard.signIn()
    const answer = await begin(cookie)
    dashboard.signOut(cookie)
    expect(await endOf(answer)).toBe('broken off')
  })

  it('of a session that there is not is refused', async () => {
    expect((await dashboard.app.inject('/api/charges.csv')).statusCode).toBe(401)
  })
})

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['two words', '"two words"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['a-b=c', 'a-b=c'],
  ['=1+1', "'=1+1"],
  ['+61 400', '"\'+61 400"'],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\t\'=1"'],
  ['\r=1', '"\r\'=1"'],
  [' =1', '" \'=1"'],
  ['＝1', "'＝1"],
  ["=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""],
  ['harmless;=1+1', '"harmless;\'=1+1"'],
  ['harmless,"=1+1"', '"harmless,""\'=1+1"""'],
])('%j → %s', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

it('cells are parted by commas', () => {
  expect(csvLine(['a', 'b c', '3'])).toBe('a,"b c",3\r\n')
})

const tooMany: unknown = expect.objectContaining({ code: 'rate_limited', retryAfter: 15 })

/** Places of which every one is taken, each two by one merchant, and which of them were ended. */
function createTakenPlaces() {
  let now = 0
  const ended: number[] = []
  const places = createExportPlaces({ elapsedMs: () => now })
  const taken = Array.from({ length: 24 }, (_, at) =>
    places.take(`merchant ${Math.floor(at / 2)}`, () => ended.push(at)),
  )
  return { places, taken, ended, pass: (ms: number) => (now += ms) }
}

it('a merchant has two places, and gets one back when an export has ended', () => {
  const places = createExportPlaces({ elapsedMs: () => 0 })
  const [first] = [places.take('a', () => undefined), places.take('a', () => undefined)]
  expect(() => places.take('a', () => undefined)).toThrow(tooMany)
  expect(() => places.take('b', () => undefined)).not.toThrow()
  first.leave()
  first.leave()
  expect(() => places.take('a', () => undefined)).not.toThrow()
  expect(() => places.take('a', () => undefined)).toThrow(tooMany)
})

it('slow readers of other merchants hold no place that somebody needs', () => {
  const { places, taken, ended, pass } = createTakenPlaces()
  for (const place of taken) place.waitForReader()
  pass(4000)
  taken[0]?.goOn()
  expect(() => places.take('newcomer', () => undefined)).toThrow(tooMany)
  pass(1000)
  places.take('newcomer', () => undefined)
  expect(ended).toEqual([1])
  places.take('another', () => undefined)
  expect(ended).toEqual([1, 2])
})

it('readers that take what they get keep their places', () => {
  const { places, taken, ended, pass } = createTakenPlaces()
  for (let second = 0; second < 60; second += 1) {
    for (const place of taken) place.waitForReader()
    pass(1000)
    for (const place of taken) place.goOn()
  }
  expect(() => places.take('newcomer', () => undefined)).toThrow(tooMany)
  expect(ended).toEqual([])
})
