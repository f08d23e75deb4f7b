import type { AuthenticationAsked, AuthenticationNeeded } from '../gateway.ts'

/** EMV: authenticated, attempted, not authenticated, rejected, unavailable, informational. */
export type TransStatus = 'Y' | 'A' | 'N' | 'R' | 'U' | 'I'

/** What the bank says of a card holder. `reason`: EMV's two digits, where there is one. */
export interface Verdict {
  transStatus: TransStatus
  reason: string | null
}

/** What the bank's page does to the browser of tests; each needs no click. */
export const HOSTILITIES = [
  'opens_top',
  'form_to_top',
  'redirects_top',
  'opens_windows',
  'downloads',
  'forges_messages',
  'plays_audio',
  'asks_permissions',
  'forges_result',
  'replays_result',
  'names_another_charge',
  'alerts',
  'is_huge',
  'steals_focus',
  'goes_to_other_page',
  'never_ends_loading',
  'reads_parent',
] as const
export type Hostility = (typeof HOSTILITIES)[number]

/** What the bank's page for the card holder is like. `no_code_is_right`, `hurried`, `down`, `slow` and `rubbish` ask for a code, too, if they get that far. */
export type Page = 'code' | 'no_code_is_right' | 'hurried' | 'app' | 'down' | 'slow' | 'rubbish' | Hostility

/** How a bank goes about a card. */
interface BankCard {
  /** Whether it looks at the browser in a hidden frame first, and whether it tells that it has. */
  method: 'none' | 'answers' | 'silent'
  /** What it says without asking the card holder; null: it asks. */
  verdict: Verdict | null
  page: Page
  /** It declines what is not authenticated. */
  insists: boolean
}

const says = (transStatus: TransStatus, reason: string | null = null): BankCard => ({
  method: 'none',
  verdict: { transStatus, reason },
  page: 'code',
  insists: false,
})
const asks = (page: Page, method: BankCard['method'] = 'none'): BankCard => ({
  method,
  verdict: null,
  page,
  insists: false,
})

/** The test cards whose bank takes part (docs/guides/testing.md); the last digit is each number's check digit. */
const CARDS: Readonly<Record<string, BankCard>> = {
  '4970110000000013': says('Y'),
  '4970110000000021': says('A', '26'),
  '4970110000000039': says('N', '01'),
  '4970110000000047': says('R', '11'),
  '4970110000000054': says('U', '22'),
  '4970110000001011': asks('code'),
  '4970110000001029': asks('app'),
  '4970110000001037': asks('no_code_is_right'),
  '4970110000001045': asks('hurried'),
  '4970110000002019': { ...says('Y'), method: 'answers' },
  '4970110000002027': asks('code', 'answers'),
  '4970110000002035': asks('code', 'silent'),
  '4970110000003017': asks('down'),
  '4970110000003025': asks('slow'),
  '4970110000003033': asks('rubbish'),
  '4970110000004015': { ...asks('code'), insists: true },
  // Tests of browsers alone use these.
  '4970110000009014': asks('opens_top'),
  '4970110000009022': asks('form_to_top'),
  '4970110000009030': asks('redirects_top'),
  '4970110000009048': asks('opens_windows'),
  '4970110000009055': asks('downloads'),
  '4970110000009063': asks('forges_messages'),
  '4970110000009071': asks('plays_audio'),
  '4970110000009089': asks('asks_permissions'),
  '4970110000009097': asks('forges_result'),
  '4970110000009105': asks('replays_result'),
  '4970110000009113': asks('names_another_charge'),
  '4970110000009121': asks('alerts'),
  '4970110000009139': asks('is_huge'),
  '4970110000009147': asks('steals_focus'),
  '4970110000009154': asks('goes_to_other_page'),
  '4970110000009162': asks('never_ends_loading'),
  '4970110000009170': asks('reads_parent'),
}

/** The numbers of these cards. */
export const BANK_CARD_NUMBERS: readonly string[] = Object.keys(CARDS)

/** A bank takes part. */
export interface Authenticates extends Omit<BankCard, 'insists'> {
  kind: 'authenticates'
  askedBy: AuthenticationNeeded['askedBy']
}

/** What the bank of a card does about a payment: nothing, decline it because nobody was asked, take note of another's authentication, or take part. */
export type Plan =
  | { kind: 'nothing' }
  | { kind: 'declines' }
  | { kind: 'takes_note'; made: NonNullable<AuthenticationAsked['made']> }
  | Authenticates

/** Any card's bank asks if the merchant wishes so. */
const ANY_CARD: BankCard = asks('code')
/** Under an exemption the bank only takes note, and the merchant bears a fraud. */
const TAKES_NOTE: Verdict = { transStatus: 'I', reason: null }
/** Of a bank that says these no wish makes a challenge. */
const FINAL: ReadonlySet<TransStatus> = new Set(['N', 'R', 'U'])

/** What the bank does about a payment by a card. */
export function planOf(number: string, { wish, exemption, browser, made }: AuthenticationAsked): Plan {
  const card = CARDS[number]
  if (made !== null) return { kind: 'takes_note', made }
  if (browser === null || wish === 'never') return { kind: card?.insists === true ? 'declines' : 'nothing' }
  if (wish === 'challenge') return challenged(card ?? ANY_CARD)
  if (card === undefined) return { kind: 'nothing' }
  const { insists, ...how } = card
  if (insists) return { ...how, kind: 'authenticates', askedBy: 'bank' }
  const asked = { ...how, kind: 'authenticates', askedBy: 'gateway' } as const
  return exemption === null || card.verdict !== null
    ? asked
    : { ...asked, method: 'none', verdict: TAKES_NOTE }
}

function challenged({ method, verdict, page }: BankCard): Authenticates {
  const isFinal = verdict !== null && FINAL.has(verdict.transStatus)
  return { kind: 'authenticates', askedBy: 'merchant', method, page, verdict: isFinal ? verdict : null }
}
