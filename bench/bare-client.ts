import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import {
  beginFollowUp,
  beginSale,
  findCharge,
  settleFollowUp,
  settleSale,
} from '../src/service/charges/charge-sql.ts'
import { tokenClaim } from '../src/service/payment-sources/token-claim.ts'
import { findToken } from '../src/service/payment-sources/token-store.ts'

const sale = { begin: beginSale(tokenClaim), settle: settleSale(tokenClaim).spend }
const MERCHANT = 'bare'

/**
 * The yardstick: the very statements of an authorisation and a capture, prepared, on the same server with the same
 * durability, by a client that does nothing else.
 */
export interface BareClient {
  /** One authorisation and one capture. */
  authoriseAndCapture: () => Promise<void>
  close: () => Promise<void>
}

/** Writes `count` tokens first, as tokenising is not measured. */
export async function createBareClient(
  connectionString: string,
  clients: number,
  count: number,
): Promise<BareClient> {
  const pool = new pg.Pool({ connectionString, max: clients })
  const tokens = await writeTokens(pool, count)
  const run = async ({ name, text }: { name: string; text: string }, values: unknown[]) => {
    const { rows } = await pool.query({ name, text, values })
    if (rows.length === 0) throw new Error(`${name} did nothing`)
  }
  const createId = () => randomBytes(12).toString('hex')
  return {
    async authoriseAndCapture() {
      const token = tokens.pop()
      if (token === undefined) throw new Error('out of tokens: give the bare client more')
      const [id, saleId, captureId] = [createId(), createId(), createId()]
      await run(findToken, [token, MERCHANT])
      await run(sale.begin, [
        saleId,
        id,
        'sale',
        null,
        1000,
        '127.0.0.1',
        null,
        null,
        null,
        token,
        MERCHANT,
        'g',
        true,
        'AUD',
        null,
        null,
        '{}',
        '{}',
      ])
      await run(sale.settle, [
        saleId,
        'approved',
        null,
        '00',
        'Approved',
        saleId,
        '000000000000',
        'pending',
        604800,
        token,
      ])
      await run(findCharge, [id])
      await run(beginFollowUp, [
        captureId,
        id,
        'capture',
        null,
        1000,
        '127.0.0.1',
        null,
        null,
        null,
        1,
        'pending',
        false,
      ])
      await run(settleFollowUp, [
        captureId,
        'approved',
        null,
        '00',
        'Approved',
        saleId,
        '000000000000',
        'complete',
        null,
      ])
    },
    close: () => pool.end(),
  }
}

async function writeTokens(pool: pg.Pool, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomUUID())
  await pool.query(
    `INSERT INTO payment_source_tokens
       (token, merchant_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, expires_at)
     SELECT unnest($1::uuid[]), $2, 'k', $3, $4, $5, $6, now() + interval '3 hours'`,
    [
      tokens,
      MERCHANT,
      randomBytes(60),
      randomBytes(44),
      randomBytes(31),
      JSON.stringify({ card_name: 'Grace' }),
    ],
  )
  return tokens
}
