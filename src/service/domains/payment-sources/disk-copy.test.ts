import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import { checkoutCalls, declined } from '../../testing/checkout-calls.ts'
import { filesWith, openAll, openedDataKeys, sealedCardsIn, copyDisk } from '../../testing/stolen-disk.ts'
import type { DiskCopy } from '../../testing/stolen-disk.ts'
import { testCard } from '../../testing/test-card.ts'
import { createTestService, TEST_KEY } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

/** Of an authentication that another provider made: the proof, and an id that is kept. */
const CRYPTOGRAM = 'q83vEjRWeJASNFZ4kBI0VniQEjQ='
const DS_TRANS_ID = 'c3a1f0de-5b16-4c0a-9e5d-b24808a95e4b'

const dataDir = mkdtempSync(join(tmpdir(), 'svc-disk-copy-'))
chmodSync(dataDir, 0o711)
let server: { connectionString: string; stop: () => Promise<void> }
let database: Database
let service: TestService
/** Of cards that were authorised, declined, paid a checkout with, and left to expire. */
const tokens: string[] = []
/** What was answered to charges with such an authentication. */
const answers: string[] = []
/** Before and after the tables were written out of memory. */
const copies: DiskCopy[] = []

const expire = testStatement(
  't_expire_unspent',
  "UPDATE payment_source_tokens SET expires_at = now() - interval '1 second' WHERE card_number IS NOT NULL",
)
const unerased = testStatement<{ count: number }>(
  't_unerased',
  'SELECT count(*) AS count FROM payment_source_tokens WHERE card_number IS NOT NULL OR wrapped_data_key IS NOT NULL',
)

async function useCards(): Promise<void> {
  const { sell } = chargeCalls(service)
  const checkouts = checkoutCalls(service)
  const repeated = await service.call({
    method: 'POST',
    url: '/v1/payment_sources/tokens',
    headers: {
      'x-user-public-key': service.merchant.publicKey,
      'idempotency-key': '3d6f0f5e-0f0e-4a43-9d0b-5e1c0f7e2a90',
    },
    payload: testCard,
  })
  const [authorised, refused, left] = [
    String(repeated.body.resource.data),
    await service.tokenise(declined),
    await service.tokenise(),
  ]
  expect((await sell({ amount: '10.00', currency: 'AUD', token: authorised })).status).toBe(201)
  expect((await sell({ amount: '10.00', currency: 'AUD', token: refused })).status).toBe(422)
  const checkout = await checkouts.make()
  const paidWith = await checkouts.tokenise(checkout.token)
  expect((await checkouts.pay(checkout.token, paidWith)).status).toBe(201)
  tokens.push(authorised, refused, paidWith, left)
  await authenticatedElsewhere()
  await database.run(expire, [])
  await service.runJob('erase expired tokens')
  expect(await database.run(unerased, [])).toEqual([{ count: 0 }])
}

/** One sale is approved, one declined, and of one the answer is lost. */
async function authenticatedElsewhere(): Promise<void> {
  const made = { version: '2.2.0', eci: '05', cryptogram: CRYPTOGRAM, ds_trans_id: DS_TRANS_ID }
  const statuses: number[] = []
  for (const amount of ['10.00', '9000.51', '9000.68']) {
    const token = await service.tokenise()
    const { status, body } = await service.call({
      method: 'POST',
      url: '/v1/charges',
      headers: { ...chargeCalls(service).secret(), 'idempotency-key': crypto.randomUUID() },
      payload: { amount, currency: 'AUD', token, authentication_result: made },
    })
    tokens.push(token)
    statuses.push(status)
    answers.push(JSON.stringify(body))
  }
  expect(statuses).toEqual([201, 422, 503])
  await service.runJob('resolve attempts')
}

beforeAll(async () => {
  server = await startEmbeddedPostgres(dataDir, () => undefined)
  const { connectionString } = server
  database = createDatabase({ connectionString, connections: 4, onIdleError: () => undefined })
  service = await createTestService({ database })
  await useCards()
  copies.push(await copyDisk(dataDir, database, [TEST_KEY]))
  await database.script('CHECKPOINT')
  copies.push(await copyDisk(dataDir, database, [TEST_KEY]))
}, 60_000)
afterAll(async () => {
  await service.close()
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

describe('a copy of the disk and the master key', () => {
  it('has the sealed cards, whose data keys can be opened', () => {
    for (const copy of copies) {
      expect(sealedCardsIn(copy.files).some(({ path }) => path.includes('pg_wal'))).toBe(true)
      expect(openedDataKeys(copy)).toBe(tokens.length)
    }
  })

  it('gives no card that was used or has expired', () => {
    for (const copy of copies) expect(openAll(copy)).toEqual([])
  })

  it('has no token in any form, and neither has the log', () => {
    for (const token of tokens) {
      for (const { files } of copies) expect(filesWith(token, files)).toEqual([])
      expect(service.logged()).not.toContain(token)
    }
  })

  it('would give the cards to whoever had the tokens too', () => {
    const card = { number: testCard.card_number, code: testCard.card_ccv }
    for (const copy of copies) expect(openAll(copy, tokens)).toEqual(tokens.map(() => card))
  })
})

describe('an authentication made elsewhere', () => {
  it('is passed to the gateway, and stands in no table, log or event, whatever becomes of the sale', () => {
    expect(answers[0]).toContain('"liability_shifted":true')
    expect(answers.join('')).not.toContain(CRYPTOGRAM)
    expect(service.logged()).not.toContain(CRYPTOGRAM)
    const forms = [Buffer.from(CRYPTOGRAM), Buffer.from(CRYPTOGRAM, 'base64')]
    for (const { files } of copies) {
      expect(files.some(({ bytes }) => bytes.includes(DS_TRANS_ID))).toBe(true)
      expect(files.filter(({ bytes }) => forms.some((form) => bytes.includes(form)))).toEqual([])
    }
  })
})
