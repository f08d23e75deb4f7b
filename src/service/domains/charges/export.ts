import { setTimeout as pause } from 'node:timers/promises'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import type { ChargeSummary } from '../../../contract/dashboard/payments/charge-list.ts'
import type { NewEvent } from '../../platform/events.ts'
import type { MonotonicClock } from '../../platform/clocks.ts'
import type { Database } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import { positionOf } from '../../platform/listing/cursor.ts'
import { toAmount } from '../../platform/money.ts'
import { timeWriter } from '../../platform/zoned-time.ts'
import { toChargeSummary } from './charge-resource.ts'
import type { ListedCharge } from './charge-store.ts'
import { isDone, isLiabilityShifted, saleOf } from './charge.ts'
import type { Attempt, AttemptType, Charge } from './charge.ts'
import { searchCharges } from './search.ts'
import type { ChargeSearch } from './search.ts'

/** The CSV exports of one process: their files and their places. */
export interface Exports {
  /** A merchant's charges as a CSV file, in pieces of some hundred lines; each is made when it is asked for. */
  write: (
    merchantId: string,
    search: ChargeSearch,
    timeZone: string,
  ) => AsyncGenerator<string, void, undefined>
  places: ExportPlaces
}

/** Charges that are read at once. */
const BATCH = 500
/** Pages that all exports of this process read at the same time. */
const MAX_READING = 6

/**
 * Reads page by page. Between two pages an export rests for as long as the page took, so it takes half of one database connection at most;
 * all together take six, in turn.
 */
export function createExports(database: Database, clock: MonotonicClock): Exports {
  const inTurn = createTurns(MAX_READING)
  return {
    places: createExportPlaces(clock),
    async *write(merchantId, search, timeZone) {
      const timeIn = timeWriter(timeZone)
      let heading = headingLine()
      let page = { ...search }
      for (;;) {
        const asked = page
        const { listed, next, tookMs } = await inTurn(async () => {
          const began = clock.elapsedMs()
          const found = await searchCharges(database, merchantId, asked, BATCH)
          return { ...found, tookMs: clock.elapsedMs() - began }
        })
        yield heading + listed.map((one) => toChargeLine(one, timeIn)).join('')
        if (next === null) return
        heading = ''
        page = { ...search, after: positionOf(next) }
        await pause(tookMs)
      }
    },
  }
}

/** The event of an export: who exported charges, from which address, by which filters. */
export function exportEvent(
  session: Pick<Session, 'merchantId' | 'user'>,
  address: string,
  { q, status, scheme, gatewayId, amountFrom, amountTo, from, to }: ChargeSearch,
): Omit<NewEvent, 'id'> {
  const filters = {
    search: q,
    status,
    scheme,
    gateway_id: gatewayId,
    amount_from: amountFrom === null ? null : toAmount(amountFrom).toFixed(2),
    amount_to: amountTo === null ? null : toAmount(amountTo).toFixed(2),
    created_from: from?.toISOString() ?? null,
    created_to: to?.toISOString() ?? null,
  }
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  const { merchantId } = session
  const facts = { address, ...set }
  return { merchantId, type: 'charges.exported', subject: merchantId, actor: actorOf(session), facts }
}

/** Exports that one process has open at once, of one merchant and in all. Each holds some hundred lines in memory. */
const MAX_OF_MERCHANT = 2
const MAX_IN_ALL = 24
/** An export whose reader has taken nothing for this long gives up its place to one that has none. */
const SLOW_MS = 5000
/** A guess: exports take from a second to minutes. */
const RETRY_AFTER_SECONDS = 15

/** The place of one export. */
export interface ExportPlace {
  /** The export waits for its reader from now until `goOn`. */
  waitForReader: () => void
  goOn: () => void
  leave: () => void
}

/** Gives out places; throws `rate_limited` if the merchant has its share, or readers that are not slow have all places. */
interface ExportPlaces {
  /** `end` is called if another export needs the place and this reader is slow. */
  take: (merchantId: string, end: () => void) => ExportPlace
}

interface Taken {
  merchantId: string
  end: () => void
  waitsSince: number | null
}

export function createExportPlaces(clock: MonotonicClock): ExportPlaces {
  const taken = new Set<Taken>()
  /** Ends the export whose reader has taken nothing for longest; false if no reader is slow. */
  const endSlowest = (): boolean => {
    const latest = clock.elapsedMs() - SLOW_MS
    const [slowest] = [...taken]
      .filter(({ waitsSince }) => waitsSince !== null && waitsSince <= latest)
      .sort((one, other) => (one.waitsSince ?? 0) - (other.waitsSince ?? 0))
    if (slowest === undefined) return false
    taken.delete(slowest)
    slowest.end()
    return true
  }
  return {
    take(merchantId, end) {
      const own = [...taken].filter((one) => one.merchantId === merchantId).length
      if (own >= MAX_OF_MERCHANT || (taken.size >= MAX_IN_ALL && !endSlowest())) throw tooMany()
      const one: Taken = { merchantId, end, waitsSince: null }
      taken.add(one)
      return {
        waitForReader: () => void (one.waitsSince = clock.elapsedMs()),
        goOn: () => void (one.waitsSince = null),
        leave: () => void taken.delete(one),
      }
    },
  }
}

function tooMany(): ServiceError {
  const words = 'Other exports are under way. Wait until one of them has ended.'
  return new ServiceError('rate_limited', words, { retryAfter: RETRY_AFTER_SECONDS })
}

/** Runs at most `atOnce` pieces of work at the same time; the others wait in line. */
function createTurns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < atOnce) underWay += 1
    // Whoever has ended passes its turn on.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'amount',
  'currency',
  'captured_amount',
  'refunded_amount',
  'reference',
  'description',
  'customer_name',
  'customer_email',
  'card_scheme',
  'card_last4',
  'gateway_name',
  'hold_ends_at',
  'error_code',
  'error_message',
  'card_holder',
  'captured_at',
  'refunded_at',
  'gateway_reference',
  'statement_descriptor',
  'metadata',
  'disputed_amount',
  'charged_back_amount',
  'authentication_status',
  'authentication_flow',
  'eci',
  'liability_shifted',
] as const satisfies readonly (keyof ChargeSummary | keyof ReturnType<typeof furtherFacts>)[]

/** The first line: a mark by which Excel recognises UTF-8, and the columns, named as in the dashboard's API. */
function headingLine(): string {
  return `\ufeff${csvLine(COLUMNS)}`
}

/** A charge as a line of the file. `timeIn` writes a time in the reader's zone. */
function toChargeLine(listed: ListedCharge, timeIn: (time: Date) => string): string {
  const summary = toChargeSummary(listed)
  const cells = {
    ...summary,
    created_at: timeIn(listed.charge.createdAt),
    hold_ends_at: listed.holdEndsAt === null ? '' : timeIn(listed.holdEndsAt),
    amount: summary.amount.toFixed(2),
    captured_amount: summary.captured_amount.toFixed(2),
    refunded_amount: summary.refunded_amount.toFixed(2),
    disputed_amount: summary.disputed_amount.toFixed(2),
    ...furtherFacts(listed, timeIn),
  }
  return csvLine(COLUMNS.map((name) => cells[name] ?? ''))
}

/** What the file has and the list does not: times of the last capture and refund, the gateway's id of the sale, 3-D Secure. */
function furtherFacts({ charge }: ListedCharge, timeIn: (time: Date) => string) {
  const timeOf = (type: AttemptType) => {
    const settled = charge.attempts.findLast((one) => one.type === type && isDone(charge, one))?.settledAt
    return settled == null ? '' : timeIn(settled)
  }
  const sale = saleOf(charge)
  return {
    card_holder: charge.paymentSource.card_name,
    captured_at: charge.preAuth ? timeOf('capture') : timeOf('sale'),
    refunded_at: timeOf('refund'),
    gateway_reference: sale.externalId,
    statement_descriptor: charge.statementDescriptor,
    metadata: toJson(charge.metadata),
    charged_back_amount: toAmount(charge.disputeSums.at(-1)?.chargedBack ?? 0).toFixed(2),
    ...authenticationFacts(charge, sale),
  }
}

function authenticationFacts(charge: Charge, sale: Attempt) {
  const { flow = null, eci = null } = sale.authentication?.result ?? {}
  const isShifted = isLiabilityShifted(charge, sale)
  return {
    authentication_status: sale.authentication?.status,
    authentication_flow: flow,
    eci,
    liability_shifted: isShifted === null ? null : String(isShifted),
  }
}

/**
 * Metadata as JSON, empty where there is none. A character in it that could begin a formula is written as JSON's own escape, so that it
 * needs no apostrophe, and is read back as it was.
 */
function toJson(metadata: Metadata): string {
  if (Object.keys(metadata).length === 0) return ''
  return JSON.stringify(metadata).replace(
    BEGINS_FORMULA_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * A line of a CSV file (RFC 4180). A text from a shopper or merchant may begin with a character that makes it a formula in a spreadsheet
 * (OWASP, "CSV Injection"): it gets an apostrophe before it, also after a character that ends a cell in other countries' spreadsheets.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

const BEGINS_FORMULA = /(^|[,;|\t\r\n])([\s"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
/** The same in JSON, in which no line breaks. */
const BEGINS_FORMULA_IN_JSON = /(?<=[,;|][\s"']*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g
const HAS_TO_BE_QUOTED = /[",;|\s]/

function toCell(text: string): string {
  const safe = text.replace(BEGINS_FORMULA, "$1$2'")
  return HAS_TO_BE_QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
