import fc from 'fast-check'

/** A step of a sequence: something that a merchant, a card holder, the database or time does. */
export type Operation =
  | { do: 'tokenise'; card: CardKind }
  | ({ do: 'sell'; token: number; amount: unknown; capture: boolean } & Asked)
  | ({ do: 'capture' | 'refund'; charge: number; amount: unknown } & Asked)
  | ({ do: 'cancel'; charge: number } & Asked)
  | { do: 'read'; charge: number; as: Who }
  | { do: 'list'; status: string | null }
  | { do: 'end hold'; charge: number }
  | { do: 'resolve attempts' | 'release ended holds' }
  | { do: 'tell'; charge: number; what: ToldMove; cents: number }

/** What the gateway tells of its own accord. */
export const TOLD_MOVES = [
  'capture failed',
  'refund failed',
  'cancel refused',
  'hold gone',
  'captured by hand',
  'cancelled by hand',
  'refunded by hand',
] as const
export type ToldMove = (typeof TOLD_MOVES)[number]

/** `other` is another merchant, who may not hold funds. */
export type Who = 'owner' | 'other'
interface Asked {
  key: string | null
  as: Who
}
export type CardKind = 'approved' | 'declined' | 'wrong number' | 'expired'

const as = fc.oneof({ weight: 12, arbitrary: fc.constant('owner' as const) }, fc.constant('other' as const))
const key = fc.constantFrom(null, null, 'a', 'b')
const charge = fc.nat(2)
const wrongAmount = fc.constantFrom(
  0,
  -1,
  '1.001',
  '1e3',
  '',
  ' 5',
  'ten',
  null,
  true,
  [],
  1e12,
  '10000000.00',
)
const saleAmount = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('10.00', 49.95, '0.01', '9100.00', '9000.50') },
  { weight: 3, arbitrary: fc.constantFrom('9000.51', '9000.54', '9000.59', '9000.91') },
  { weight: 1, arbitrary: fc.constantFrom('9000.68', '9000.69') },
  { weight: 1, arbitrary: wrongAmount },
)
const partAmount = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 8, arbitrary: fc.constantFrom('0.01', 1, '9.99', '10.00', '10.01', '9000.50', '9100.01') },
  { weight: 2, arbitrary: fc.constantFrom('9000.51', '9000.91') },
  { weight: 1, arbitrary: fc.constantFrom('9000.68', '9000.69') },
  { weight: 1, arbitrary: wrongAmount },
)
const card = fc.oneof(
  { weight: 8, arbitrary: fc.constant('approved' as const) },
  fc.constantFrom('declined' as const, 'wrong number' as const, 'expired' as const),
)
const status = fc.constantFrom(null, 'pending', 'complete', 'cancelled', 'failed', 'refunded', 'processing')

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tokenise' as const), card }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      token: fc.nat(5),
      amount: saleAmount,
      capture: fc.boolean(),
      key,
      as,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constantFrom('capture', 'refund'), charge, amount: partAmount, key, as }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), charge, key, as }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), charge, as }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('list' as const), status }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end hold' as const), charge }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('resolve attempts', 'release ended holds') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      charge,
      what: fc.constantFrom(...TOLD_MOVES),
      cents: fc.constantFrom(1, 500, 1000, 910_000),
    }),
  },
)

/** Two charges to begin with, so that there is something to do. */
const beginning: Operation[] = [
  ...Array.from({ length: 4 }, (): Operation => ({ do: 'tokenise', card: 'approved' })),
  { do: 'sell', token: 0, amount: '10.00', capture: false, key: 'a', as: 'owner' },
  { do: 'sell', token: 1, amount: '9100.00', capture: false, key: null, as: 'owner' },
]

/** A random sequence of operations on a few charges. */
export const operations: fc.Arbitrary<Operation[]> = fc
  .array(operation, { minLength: 2, maxLength: 16, size: 'max' })
  .map((rest) => [...beginning, ...rest])
