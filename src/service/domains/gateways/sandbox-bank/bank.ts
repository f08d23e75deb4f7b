import type { Queries } from '../../../platform/database/database.ts'
import type { AuthenticationResult, AuthenticationTold, AuthorisationRequest } from '../gateway.ts'
import type { AuthenticationStep } from '../../../../contract/api/charges/authentication.ts'
import type { Authenticates } from './bank-cards.ts'
import { begin, decide } from './bank-store.ts'
import type { BankRow } from './bank-store.ts'
import { encoded, readCres, readMethodData, VERSION } from './messages.ts'

/** The sale that a bank takes part in: `code` is what it is answered with once its card holder is authenticated. */
interface Sale extends Pick<AuthorisationRequest, 'attemptId' | 'amount' | 'currency' | 'capture' | 'card'> {
  statementDescriptor: string | null
  returnUrl: string
  code: string
  reference: string
}

/** Begins an authentication; one whose bank asks nobody and looks at no browser has its result at once. */
export async function beginAtBank(
  queries: Queries,
  sale: Sale,
  { askedBy, method, verdict, page }: Authenticates,
): Promise<BankRow> {
  const row = await begin(queries, {
    ...rowOf(sale),
    asked_by: askedBy,
    method,
    page,
    verdict: verdict?.transStatus ?? null,
    verdict_reason: verdict?.reason ?? null,
    version: VERSION,
    flow: verdict === null ? 'challenge' : 'frictionless',
    eci: null,
  })
  return method === 'none' ? verdictOn(queries, row) : row
}

/** Notes an authentication that another provider has made. */
export async function noteMade(
  queries: Queries,
  sale: Sale,
  made: NonNullable<AuthorisationRequest['authentication']['made']>,
): Promise<BankRow> {
  const row = await begin(queries, {
    ...rowOf(sale),
    asked_by: 'merchant',
    method: 'none',
    page: 'code',
    verdict: made.trans_status ?? 'I',
    verdict_reason: null,
    version: made.version,
    flow: null,
    eci: made.eci,
    ds_trans_id: made.ds_trans_id,
  })
  return verdictOn(queries, row)
}

function rowOf({ attemptId, amount, currency, capture, card, ...sale }: Sale) {
  return {
    attempt_id: attemptId,
    amount,
    currency,
    capture,
    payee: sale.statementDescriptor ?? '',
    last4: card.number.slice(-4),
    return_url: sale.returnUrl,
    code: sale.code,
    reference: sale.reference,
  }
}

/** Has the bank decide, where it does so without asking the card holder. */
export async function verdictOn(queries: Queries, row: BankRow): Promise<BankRow> {
  if (row.verdict === null) return row
  const verdict = { transStatus: row.verdict, reason: row.verdict_reason }
  return (await decide(queries, row.attempt_id, verdict)) ?? row
}

/** The first step of a page; null where nothing is left to do. */
export function firstStep(row: BankRow, bankUrl: string): AuthenticationStep | null {
  if (row.method === 'none') return row.trans_status === null ? challengeStep(row, bankUrl) : null
  const { server_trans_id: threeDSServerTransID, return_url: threeDSMethodNotificationURL } = row
  const data = encoded({ threeDSServerTransID, threeDSMethodNotificationURL })
  return { kind: 'method', url: `${bankUrl}/3ds/method`, data }
}

/** The step at which a page shows the bank's page. */
export function challengeStep(row: BankRow, bankUrl: string): AuthenticationStep {
  const creq = {
    threeDSServerTransID: row.server_trans_id,
    acsTransID: row.acs_trans_id,
    messageType: 'CReq',
    messageVersion: row.version,
    challengeWindowSize: '05',
  }
  return { kind: 'challenge', url: `${bankUrl}/3ds/challenge`, creq: encoded(creq) }
}

/** What the bank's page posts back: as it has decided, or refused where it has not. */
export function cresOf({
  server_trans_id: server,
  acs_trans_id: acs,
  version,
  trans_status: said,
}: BankRow): string {
  return encoded({
    threeDSServerTransID: server,
    acsTransID: acs,
    messageType: 'CRes',
    messageVersion: version,
    transStatus: said ?? 'N',
    challengeCompletionInd: 'Y',
  })
}

/** Whether the hidden step is over: by what was told of it, or, for a `look`, because the bank has seen the browser. */
export function isMethodOver(row: BankRow, told: AuthenticationTold): boolean {
  if (told.kind === 'method') return true
  if (told.kind === 'look') return row.method_at !== null
  return readMethodData(told.fields['threeDSMethodData'] ?? '')?.threeDSServerTransID === row.server_trans_id
}

/** Whether what was told may be of this authentication; what it says of the result is not read. */
export function isOfChallenge(row: BankRow, told: AuthenticationTold): boolean {
  if (told.kind !== 'returned') return true
  const cres = readCres(told.fields['cres'] ?? '')
  return cres?.threeDSServerTransID === row.server_trans_id && cres.acsTransID === row.acs_trans_id
}

/** Visa's: 05 authenticated, 06 attempted, 07 neither. */
const ECI: Readonly<Record<string, string>> = { Y: '05', A: '06' }
/** With these the bank bears a fraud if it has authenticated, or stands in: Visa's and Mastercard's. */
const SHIFTED: ReadonlySet<string> = new Set(['01', '02', '05', '06'])

/** What the bank has said, for the gateway's answer. */
export function resultOf(row: BankRow): AuthenticationResult {
  const { trans_status: transStatus } = row
  const eci = row.eci ?? (transStatus === null ? null : (ECI[transStatus] ?? '07'))
  return {
    version: row.version,
    flow: row.flow,
    transStatus,
    transStatusReason: row.trans_status_reason,
    eci,
    dsTransId: row.ds_trans_id,
    isLiabilityShifted:
      eci === null ? null : SHIFTED.has(eci) && (transStatus === 'Y' || transStatus === 'A'),
  }
}

/** The sale's response code by what the bank has said: 81 is nobody's answer, 80 a refusal of the bank. */
export function codeOf({ trans_status: transStatus, cancelled_by: cancelledBy, code }: BankRow): string {
  if (transStatus === null || cancelledBy !== null) return '81'
  return transStatus === 'N' || transStatus === 'R' ? '80' : code
}
