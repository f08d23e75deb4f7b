import {
  createAttemptStatements,
  settleFollowUp,
  insertFollowUp,
} from '../../src/service/domains/charges/attempt-store.ts'
import { selectCharge } from '../../src/service/domains/charges/charge-store.ts'
import type { Statement } from '../../src/service/platform/database/statement.ts'
import { selectToken, tokenClaim } from '../../src/service/domains/payment-sources/token-store.ts'

/** More tokens than one client can spend in one run. */
export const TOKENS_PER_CLIENT = 12_000

const token = "decode(lpad(:token, 64, '0'), 'hex')"
/** The payment source of a sale, a different one for each. */
const source = `('{"type":"card","card_name":"Grace Hopper","card_scheme":"mastercard","card_number_last4":"' || :last4 || '"}')::json`
const variables = {
  gateway: '6718f0a0c0ffee0000000001',
  address: '127.0.0.1',
  currency: 'AUD',
  customer: '{}',
  facts: '{"attempt":"sale","outcome":"approved","amount":1000,"currency":"AUD","status":"pending"}',
  code: '00',
  words: 'Approved',
  rrn: '000000000000',
  hold: '604800',
}

/** One authorisation and one capture as a script of pgbench: the service's own statements, prepared, one after another. */
export function pairOfStatements(
  run: number,
  merchant: string,
): { script: string; variables: Record<string, string> } {
  const script = [
    `\\set n :n + 1`,
    `\\set token (${String(run)} * 100 + :client_id) * 1000000 + :n`,
    '\\set sale :token * 10 + 1',
    '\\set capture :token * 10 + 2',
    '\\set charge :token * 10 + 3',
    '\\set amount random(1000, 50000)',
    '\\set last4 random(1000, 9999)',
    ...steps(),
  ]
  return { script: `${script.join('\n')}\n`, variables: { ...variables, merchant, n: '0' } }
}

/** The statements in the order in which the service runs them. */
function steps(): string[] {
  const statements = createAttemptStatements(tokenClaim)
  return [
    filledIn(selectToken, { token_hash: token }),
    filledIn(statements.beginCharge, {
      ...attempt(':sale', "'sale'"),
      token_hash: token,
      merchant_id: ':merchant',
      gateway_id: ':gateway',
      pre_auth: 'true',
      currency: ':currency',
      charge_reference: "'shop-' || :token",
      description: 'NULL',
      statement_descriptor: 'NULL',
      metadata: "'{}'",
      customer: ':customer',
      payment_source: source,
    }),
    filledIn(statements.spendToken, {
      ...approval(':sale', "'charge.authorised'"),
      status: "'pending'",
      hold_seconds: ':hold',
      token_hash: token,
    }),
    filledIn(selectCharge, { charge_id: ':charge' }),
    filledIn(insertFollowUp, {
      ...attempt(':capture', "'capture'"),
      version: '1',
      dispute_sums: '0',
      allowed: "'{pending}'",
      is_hold_over: 'false',
    }),
    filledIn(settleFollowUp, {
      ...approval(':capture', "'charge.captured'"),
      status: "'complete'",
      hold_seconds: 'NULL',
    }),
  ]
}

function attempt(id: string, type: string) {
  return {
    attempt_id: id,
    charge_id: ':charge',
    type,
    reason: 'NULL',
    amount: ':amount',
    user_id: 'NULL',
    source_ip: ':address',
    attempt_reference: 'NULL',
    idempotency_key_hash: 'NULL',
    request_hash: 'NULL',
  }
}

function approval(id: string, event: string) {
  return {
    attempt_id: id,
    outcome: "'approved'",
    decline_reason: 'NULL',
    gateway_code: ':code',
    gateway_description: ':words',
    external_id: ':sale',
    external_reference: ':rrn',
    merchant_id: ':merchant',
    event_type: event,
    event_actor: "'merchant'",
    event_facts: ':facts',
  }
}

/** A statement with what pgbench puts in the place of each of its values. */
function filledIn<Values>(
  { text, names }: Statement<Values, object>,
  values: NoInfer<Record<keyof Values, string>>,
): string {
  const inOrder = names.map((name) => values[name])
  const sql = text.replace(/\$(\d+)/g, (_, place: string) => inOrder[Number(place) - 1] ?? 'missing')
  return `${sql.replace(/\s+/g, ' ')};`
}
