import * as v from 'valibot'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import type { MadeMerchant } from '../../domains/merchants/merchants.ts'
import { testCard } from '../test-card.ts'
import type { Answer, TestService } from '../test-service.ts'
import { findCharge } from '../../domains/charges/charge-store.ts'
import type { ChargeView } from './model-charge.ts'
import type { CardKind, Operation, Who } from './operation.ts'
import { requestOf } from './request-of.ts'
import type { Movement, Request } from './request-of.ts'
import type { Expected, ReferenceModel } from './reference-model.ts'
import { testStatement } from '../test-statement.ts'
import { tellOf } from './told-news.ts'

/** Does one sequence of operations on the real service, and compares each with the model. */
interface RealSide {
  run: (operation: Operation, model: ReferenceModel) => Promise<Pair>
  /** The events of each charge of the sequence, sorted. */
  events: () => Promise<string[][]>
  /** Attempts without an outcome, of any charge. */
  openAttempts: () => Promise<number>
}

type Looking = Extract<Operation, { do: 'tokenise' | 'read' | 'list' }>
type Passing = Extract<Operation, { do: 'end hold' | 'resolve attempts' | 'release ended holds' }>
type Telling = Extract<Operation, { do: 'tell' }>

/** What the service says, and what the model says. */
type Pair = readonly [unknown, unknown]

/** A step that has no answer. */
const NOTHING: Pair = [undefined, undefined]
const NOBODYS_CHARGE = '6718f0a0c0ffee0000000001'
const CARDS: Readonly<Record<CardKind, object>> = {
  approved: {},
  declined: { expire_month: '05' },
  'wrong number': { card_number: '5111111111111119' },
  expired: { expire_year: '20' },
}

const endHold = testStatement(
  'model_end_hold',
  `UPDATE charges SET hold_expires_at = now() - interval '1 second', updated_at = now() - interval '2 seconds'
   WHERE id = $1 AND status = 'pending'`,
)
const countOpen = testStatement<{ open: number }>(
  'model_count_open',
  "SELECT count(*) AS open FROM attempts WHERE outcome = 'open'",
)

const selectEvents = testStatement<{ type: string }>(
  'model_events',
  `SELECT type FROM event_outbox WHERE subject = $1 AND type LIKE 'charge.%' ORDER BY type`,
)
/** Makes the two merchants that all sequences share; each call of the result begins a sequence. */
export async function createRealSide(service: TestService): Promise<() => RealSide> {
  const merchants = { owner: service.merchant, other: await service.makeMerchant({ preAuth: false }) }
  // A second try of the test has the same service, and needs other keys.
  const side = crypto.randomUUID().slice(0, 8)
  let sequences = 0
  return () => {
    sequences += 1
    return sequenceAt(service, merchants, `sequence-${side}-${String(sequences)}`)
  }
}

function sequenceAt(service: TestService, merchants: Record<Who, MadeMerchant>, name: string): RealSide {
  const tokens: string[] = []
  const charges: string[] = []
  const addressOf = (charge: number) => `/v1/charges/${charges[charge] ?? NOBODYS_CHARGE}`
  const { move, tokenise, read, list } = callsOf(service, merchants)
  const look = async (operation: Looking, model: ReferenceModel): Promise<Pair> => {
    switch (operation.do) {
      case 'tokenise':
        return [await tokenise(operation.card, tokens), model.tokenise(operation.card)]
      case 'read': {
        const { charge, as } = operation
        return [await read(addressOf(charge), as), model.read(charge, as)]
      }
      case 'list': {
        const found = await list(name, operation.status)
        return [found.map((id) => charges.indexOf(id)), placesOf(model, operation.status)]
      }
    }
  }
  const time = async (operation: Passing, model: ReferenceModel): Promise<Pair> => {
    if (operation.do === 'end hold') {
      await service.database.run(endHold, [charges[operation.charge] ?? NOBODYS_CHARGE])
      model.endHold(operation.charge)
    } else {
      await service.runJob(operation.do)
      if (operation.do === 'release ended holds') model.release()
      else model.resolve()
    }
    return NOTHING
  }
  const tell = async ({ charge: index, what, cents }: Telling, model: ReferenceModel): Promise<Pair> => {
    const id = charges[index]
    const charge = id === undefined ? null : await findCharge(service.database, id)
    const isMoved = model.tell(index, what, cents)
    const moved = model.charges[index]
    if (charge === null || moved === undefined) return NOTHING
    await tellOf(service, charge, { what, cents, now: isMoved ? moved : null })
    return [await read(addressOf(index), 'owner'), model.read(index, 'owner')]
  }
  const movement = async (operation: Movement, model: ReferenceModel): Promise<Pair> => {
    const request = requestOf(operation, { name, tokens, addressOf })
    const answer = await move(operation, request, name)
    const id = chargeIdOf(answer)
    if (id !== null && !charges.includes(id)) charges.push(id)
    return [viewOf(answer), model.move(operation, JSON.stringify([request.url, request.payload]))]
  }
  return {
    run(operation, model) {
      if ('key' in operation) return movement(operation, model)
      if (operation.do === 'tokenise' || operation.do === 'read' || operation.do === 'list')
        return look(operation, model)
      if (operation.do === 'tell') return tell(operation, model)
      return time(operation, model)
    },
    events: () => Promise.all(charges.map((id) => eventsOn(service, id))),
    openAttempts: async () => (await service.database.run(countOpen, []))[0]?.open ?? 0,
  }
}

async function eventsOn({ database }: TestService, chargeId: string): Promise<string[]> {
  return (await database.run(selectEvents, [chargeId])).map(({ type }) => type.replace('charge.', ''))
}

/** The calls of either merchant. */
function callsOf(service: TestService, merchants: Record<Who, MadeMerchant>) {
  const secretOf = (as: Who) => ({ 'x-user-secret-key': merchants[as].secretKey })
  return {
    move: ({ key, as }: Movement, { url, method, payload }: Request, name: string): Promise<Answer> => {
      const headers = { ...secretOf(as), ...(key !== null && { 'idempotency-key': `${name}-${key}` }) }
      return service.call({ method, url, headers, ...(payload !== undefined && { payload }) })
    },
    tokenise: async (card: CardKind, tokens: string[]): Promise<Expected> => {
      const answer = await service.call({
        method: 'POST',
        url: '/v1/payment_sources/tokens',
        headers: { 'x-user-public-key': merchants.owner.publicKey },
        payload: { ...testCard, ...CARDS[card] },
      })
      const token = answer.body.resource.data
      if (typeof token === 'string') tokens.push(token)
      return { status: answer.status, code: answer.body.error?.code ?? null, charge: null, isReplay: false }
    },
    read: async (url: string, as: Who) => viewOf(await service.call({ url, headers: secretOf(as) })),
    list: async (reference: string, status: string | null): Promise<string[]> => {
      const filter = new URLSearchParams({ reference, limit: '100', ...(status !== null && { status }) })
      const url = `/v1/charges?${filter.toString()}`
      const answer = await service.call({ url, headers: secretOf('owner') })
      return v.parse(v.array(ChargeResource), answer.body.resource.data).map(({ _id }) => _id)
    },
  }
}

function chargeIdOf({ body }: Answer): string | null {
  const parsed = v.safeParse(ChargeResource, body.resource.data)
  return parsed.success ? parsed.output._id : null
}

/** Places of the model's charges, newest first. */
function placesOf(model: ReferenceModel, status: string | null): number[] {
  const places = model.charges.map((_, place) => place).reverse()
  return places.filter((place) => status === null || model.read(place, 'owner').charge?.status === status)
}

function viewOf({ status, headers, body }: Answer): Expected {
  const { error, resource } = body
  return {
    status,
    code: error?.code ?? null,
    charge: resource.data === null ? null : chargeViewOf(v.parse(ChargeResource, resource.data)),
    isReplay: 'idempotent-replayed' in headers,
  }
}

function chargeViewOf({
  status,
  amount,
  capture,
  statistics,
  transactions,
  __v,
}: ChargeResource): ChargeView {
  return {
    status,
    amount,
    capture,
    refunded: statistics.total_refunded_amount,
    __v,
    transactions: transactions.map((one) =>
      [one.type, one.status, one.amount, ...(one.error_code === null ? [] : [one.error_code])].join(' '),
    ),
  }
}
