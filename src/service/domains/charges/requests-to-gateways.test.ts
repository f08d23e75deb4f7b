import fc from 'fast-check'
import { expect, it, describe } from 'vitest'
import type { Attempt } from './charge.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'
import { attemptIdOf, toFollowUpRequest, toOutcomeRequest } from './attempts.ts'
import { attemptAge } from './settle.ts'

describe('the id of a follow-up', () => {
  const CHARGES = ['6b05d57c0000000000000001', '6b05d57c0000000000000002']
  const KEY_KEPT_DAYS = 30

  /** A request for a movement, as its route and body tell it. */
  interface Wanted {
    charge: number
    type: Attempt['type']
    amount: string
    key: string
    hash: string
  }
  type Step =
    | { kind: 'ask'; wanted: Wanted; isReached: boolean }
    | { kind: 'pass'; days: number }
    | { kind: 'back up' | 'restore' }

  const wanted: fc.Arbitrary<Wanted> = fc.record({
    charge: fc.nat(CHARGES.length - 1),
    type: fc.constantFrom('capture', 'cancel', 'refund'),
    amount: fc.constantFrom('1.00', '2.00'),
    key: fc.constantFrom('k1', 'k2'),
    hash: fc.constantFrom('h1', 'h2'),
  })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask'), wanted, isReached: fc.boolean() }) },
    fc.record({ kind: fc.constant('pass'), days: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constantFrom('back up', 'restore') }),
  )

  /** An attempt in the service's database, with the request that has made it. */
  interface Written {
    id: string
    asked: Wanted
    day: number
    /** The gateway was not reached: the same request may come again, and is carried out then. */
    isFreed: boolean
  }
  interface World {
    day: number
    database: Written[]
    backup: Written[]
    /** What gateways have got under each id, and when first: they forget nothing. */
    sent: Map<string, Written>
  }

  const idOf = (database: readonly Written[], day: number, { charge, type, amount, key, hash }: Wanted) => {
    const attempts = database
      .filter(({ asked }) => asked.charge === charge)
      .map(({ id }) => madeAttempt({ id }))
    const made = madeCharge({ id: CHARGES[charge] ?? '', ageMs: day * 86_400_000, attempts })
    return attemptIdOf(made, { type, amount: cents(amount) }, { key, hash })
  }

  /** Asks as a merchant does; a key that is known is answered as before, or refused. */
  function ask({ day, database, sent }: World, asked: Wanted, isReached: boolean): void {
    const isKnown = (one: Written) =>
      !one.isFreed &&
      one.asked.key === asked.key &&
      one.asked.type === asked.type &&
      day - one.day < KEY_KEPT_DAYS
    if (database.some(isKnown)) return
    const written = { id: idOf(database, day, asked), asked, day, isFreed: !isReached }
    expect(database.map(({ id }) => id)).not.toContain(written.id)
    database.push(written)
    const first = sent.get(written.id)
    if (first === undefined) {
      if (isReached) sent.set(written.id, written)
      return
    }
    expect(first.asked).toEqual(asked)
    expect(day - first.day).toBeLessThan(KEY_KEPT_DAYS)
  }

  function take(world: World, one: Step): void {
    switch (one.kind) {
      case 'ask':
        ask(world, one.wanted, one.isReached)
        return
      case 'pass':
        world.day += one.days
        return
      case 'back up':
        world.backup = [...world.database]
        return
      case 'restore':
        world.database = [...world.backup]
    }
  }

  it('belongs to one request of 30 days, whatever is lost and restored', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world: World = { day: 0, database: [], backup: [], sent: new Map() }
        for (const one of steps) take(world, one)
      }),
      { numRuns: 1000 },
    )
  })

  it('is the same again after the attempt was lost, whatever came between', () => {
    const other = { charge: 0, type: 'refund', amount: '1.00', key: 'k1', hash: 'h1' } as const
    const asked = { ...other, key: 'k2' }
    const between: Written = { id: idOf([], 3, other), asked: other, day: 3, isFreed: false }
    expect(idOf([between], 5, asked)).toBe(idOf([], 3, asked))
    expect(idOf([], 3, asked)).toMatch(/^6b05d57c[\da-f]{16}$/)
  })
})

const noSteps = { msSinceStep: () => Infinity, setBackMs: () => 0 }
const { signal } = new AbortController()
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second))
const sale = madeAttempt({ id: 'a1', createdAt: at(1), externalId: 'x1' })
const capture = madeAttempt({ id: 'a2', type: 'capture', amount: cents('7.00'), createdAt: at(31) })
const charge = madeCharge({ attempts: [sale, capture], createdAt: at(0), ageMs: 60_000 })

describe('an operation as a gateway is told of it', () => {
  const told = { attemptId: 'a2', amount: 700, currency: 'AUD', signal }
  const followed = { id: 'x1', amount: 1000, capture: false, ageMs: 30_000 }

  it('follows its sale', () => {
    expect(toFollowUpRequest(charge, capture, signal)).toEqual({ ...told, sale: followed })
  })

  it('is asked for with its age when it has no outcome', () => {
    expect(toOutcomeRequest(charge, capture, signal, noSteps)).toEqual({
      ...told,
      type: 'capture',
      sale: followed,
      ageMs: 29_000,
      minAgeMs: 29_000,
    })
  })

  it.each([
    [true, false],
    [false, true],
  ])('of a sale says whether it captures (hold: %s)', (preAuth, captures) => {
    const asked = toOutcomeRequest({ ...charge, preAuth, statementDescriptor: 'Acme' }, sale, signal, noSteps)
    expect(asked).toEqual({
      attemptId: 'a1',
      amount: 1000,
      currency: 'AUD',
      signal,
      ageMs: 59_000,
      minAgeMs: 59_000,
      type: 'sale',
      capture: captures,
      statementDescriptor: 'Acme',
    })
  })

  it('follows a sale whose id the gateway never said', () => {
    const unnamed = { ...charge, preAuth: false, attempts: [{ ...sale, externalId: null }, capture] }
    expect(toFollowUpRequest(unnamed, capture, signal).sale).toEqual({ ...followed, id: '', capture: true })
  })
})

describe('the age of an attempt', () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE

  it.each([
    ['a clock that never stepped is believed', 5 * MINUTE, Infinity, 0, [5 * MINUTE, 5 * MINUTE]],
    [
      'set forward by 2 h 10 s ago: a sale under way is not taken for an old one',
      2 * HOUR,
      10_000,
      0,
      [10_000, 2 * HOUR],
    ],
    ['made after the step', 3000, 10_000, 0, [3000, 3000]],
    [
      'set back by 2 h: an old sale is not taken for a young one',
      MINUTE,
      HOUR,
      2 * HOUR,
      [MINUTE, 2 * HOUR + MINUTE],
    ],
    ['set back: made in the future', -HOUR, MINUTE, 2 * HOUR, [-HOUR, HOUR]],
  ])('%s', (_, seemsMs, sinceMs, backMs, [minAgeMs, ageMs]) => {
    const steps = { msSinceStep: () => sinceMs, setBackMs: () => backMs }
    expect(attemptAge(seemsMs, steps)).toEqual({ minAgeMs, ageMs })
  })
})
