/** What the holder of a test card does while its bank asks; `is not asked` where it has no question. */
export type HolderDoes =
  | 'is not asked'
  | 'gives the code'
  | 'is wrong three times'
  | 'approves in the app'
  | 'waits'
  | 'gives up'

/** What `_3ds` of a charge says in the end. */
interface Brought {
  status: string
  flow: 'challenge' | 'frictionless'
  trans_status: string | null
  eci: string | null
  liability_shifted: boolean | null
  asked_by: 'gateway' | 'bank'
}

/** A test card of docs/guides/testing.md, and how a hold of its funds ends. */
export interface DocumentedCard {
  number: string
  holder: HolderDoes
  status: 'pending' | 'failed' | 'not_authenticated'
  /** Of its sale. */
  errorCode: string | null
  brings: Brought
}

const Y = { status: 'authenticated', trans_status: 'Y', eci: '05', liability_shifted: true } as const
const A = { status: 'attempted', trans_status: 'A', eci: '06', liability_shifted: true } as const
const U = { status: 'unavailable', trans_status: 'U', eci: '07', liability_shifted: false } as const
const N = { status: 'failed', trans_status: 'N', eci: '07', liability_shifted: false } as const
const R = { status: 'failed', trans_status: 'R', eci: '07', liability_shifted: false } as const
const TIMED_OUT = { ...N, status: 'timed_out' } as const
const CANCELLED = { status: 'cancelled', trans_status: null, eci: null, liability_shifted: null } as const

const frictionless = { flow: 'frictionless', asked_by: 'gateway' } as const
const challenge = { flow: 'challenge', asked_by: 'gateway' } as const

const paid = (number: string, holder: HolderDoes, brings: Brought): DocumentedCard => ({
  number,
  holder,
  status: 'pending',
  errorCode: null,
  brings,
})
const refused = (number: string, holder: HolderDoes, brings: Brought): DocumentedCard => ({
  number,
  holder,
  status: 'failed',
  errorCode: 'authentication_failed',
  brings,
})
const left = (number: string, holder: HolderDoes, brings: Brought): DocumentedCard => ({
  number,
  holder,
  status: 'not_authenticated',
  errorCode: 'not_authenticated',
  brings,
})

/** Every card of the table, in its order. */
export const DOCUMENTED_CARDS: readonly DocumentedCard[] = [
  paid('4970110000001011', 'gives the code', { ...challenge, ...Y }),
  paid('4970110000001029', 'approves in the app', { ...challenge, ...Y }),
  refused('4970110000001037', 'is wrong three times', { ...challenge, ...N }),
  left('4970110000001045', 'waits', { ...challenge, ...TIMED_OUT }),
  paid('4970110000000013', 'is not asked', { ...frictionless, ...Y }),
  paid('4970110000000021', 'is not asked', { ...frictionless, ...A }),
  refused('4970110000000039', 'is not asked', { ...frictionless, ...N }),
  refused('4970110000000047', 'is not asked', { ...frictionless, ...R }),
  paid('4970110000000054', 'is not asked', { ...frictionless, ...U }),
  paid('4970110000002019', 'is not asked', { ...frictionless, ...Y }),
  paid('4970110000002027', 'gives the code', { ...challenge, ...Y }),
  paid('4970110000002035', 'gives the code', { ...challenge, ...Y }),
  left('4970110000003017', 'gives up', { ...challenge, ...CANCELLED }),
  paid('4970110000003025', 'gives the code', { ...challenge, ...Y }),
  left('4970110000003033', 'gives up', { ...challenge, ...CANCELLED }),
  paid('4970110000004015', 'gives the code', { ...challenge, ...Y, asked_by: 'bank' }),
]
