import {
  beginFollowUp,
  beginSale,
  findCharge,
  settleFollowUp,
  settleSale,
} from '../src/service/domains/charges/charge-sql.ts'
import type { Statement } from '../src/service/platform/database/database.ts'
import { writeEvent } from '../src/service/domains/events/write-event.ts'
import { tokenClaim } from '../src/service/domains/payment-sources/token-claim.ts'
import { findToken } from '../src/service/domains/payment-sources/token-store.ts'

/** More than one client can spend in one run. */
export const TOKENS_PER_CLIENT = 12_000

const MERCHANT = 'bare'
const token = "decode(lpad(:token, 64, '0'), 'hex')"
const variables = {
  merchant: MERCHANT,
  gateway: '6718f0a0c0ffee0000000001',
  address: '127.0.0.1',
  amount: '1000',
  currency: 'AUD',
  customer: '{}',
  source: '{"type":"card","card_name":"Grace Hopper","card_scheme":"mastercard","card_number_last4":"1118"}',
  facts: '{"attempt":"sale","outcome":"approved","amount":1000,"currency":"AUD","status":"pending"}',
  code: '00',
  words: 'Approved',
  rrn: '000000000000',
  hold: '604800',
}

/** One authorisation and one capture as a script of pgbench: the service's own statements, prepared, one after another. */
export function pairOfStatements(run: number): { script: string; variables: Record<string, string> } {
  const script = [
    `\\set n :n + 1`,
    `\\set token (${String(run)} * 100 + :client_id) * 1000000 + :n`,
    '\\set sale :token * 10 + 1',
    '\\set capture :token * 10 + 2',
    '\\set charge :token * 10 + 3',
    ...steps().map(([statement, values]) => filledIn(statement, values)),
  ]
  return { script: `${script.join('\n')}\n`, variables: { ...variables, n: '0' } }
}

function steps(): [Statement<object>, string[]][] {
  const nobody = ['NULL', 'NULL', 'NULL']
  const eventOf = (type: string) => [':merchant', `'charge.${type}'`, "'merchant'", ':facts']
  const approved = ['NULL', ':code', ':words', ':sale', ':rrn']
  return [
    [findToken, [token, ':merchant']],
    [
      beginSale(tokenClaim),
      [
        ...[':sale', ':charge', "'sale'", 'NULL', ':amount', ':address', ...nobody],
        ...[token, ':merchant', ':gateway', 'true', ':currency', 'NULL', 'NULL', ':customer', ':source'],
      ],
    ],
    [
      settleSale(tokenClaim, writeEvent).spend,
      [':sale', "'approved'", ...approved, "'pending'", ':hold', ...eventOf('authorised'), token],
    ],
    [findCharge, [':charge']],
    [
      beginFollowUp,
      [
        ...[':capture', ':charge', "'capture'", 'NULL', ':amount', ':address', ...nobody],
        ...['1', "'pending'", 'false'],
      ],
    ],
    [
      settleFollowUp(writeEvent),
      [':capture', "'approved'", ...approved, "'complete'", 'NULL', ...eventOf('captured')],
    ],
  ]
}

function filledIn({ text }: Statement<object>, values: string[]): string {
  const sql = text.replace(/\$(\d+)/g, (_, place: string) => values[Number(place) - 1] ?? 'missing')
  return `${sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')};`
}
