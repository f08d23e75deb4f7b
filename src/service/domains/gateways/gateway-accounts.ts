import * as v from 'valibot'
import { adyen } from './adyen/adyen-gateway.ts'
import type { AccountCredentials, AdapterDeps, Gateway, GatewayCheck, GatewayKind } from './gateway.ts'
import { stripe } from './stripe/stripe-gateway.ts'

/** The gateways at which merchants can have accounts, by type. An adapter is added by a line here. */
const KINDS: Readonly<Record<string, GatewayKind>> = { adyen, stripe }

/** The types of gateway for which an account can be entered, in the order in which they are proposed. */
export const GATEWAY_TYPES: readonly string[] = Object.keys(KINDS)

/** All that is known of a type of gateway; undefined if no account can be entered for it. */
export function gatewayKindOf(type: string): GatewayKind | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
}

/** The types with all that is known of each. */
export function gatewayTypes(): readonly (GatewayKind & { type: string })[] {
  return Object.entries(KINDS).map(([type, kind]) => ({ ...kind, type }))
}

/** One gateway of one merchant. */
export interface GatewayAccount {
  merchantId: string
  gatewayId: string
  gatewayType: string
}

export interface GatewaysDeps extends AdapterDeps {
  /** Adapters that need no account, by the type of their gateway; already watched. */
  adapters: ReadonlyMap<string, Gateway>
  /** What was entered for a gateway; rejects if it can't be read. */
  credentialsOf: (merchantId: string, gatewayId: string) => Promise<unknown>
  /** Wraps an adapter to time and trace its calls. */
  watch: (type: string, gateway: Gateway) => Gateway
}

/** The adapter of a merchant's gateway, with its account; rejects if there is none, and then nothing is sent. */
export async function adapterOf(deps: GatewaysDeps, account: GatewayAccount): Promise<Gateway> {
  const { adapters, credentialsOf, watch, ...adapterDeps } = deps
  const { merchantId, gatewayId, gatewayType } = account
  const adapter = adapters.get(gatewayType)
  if (adapter !== undefined) return adapter
  const kind = gatewayKindOf(gatewayType)
  if (kind === undefined) throw new Error(`no gateway of type ${gatewayType} may be used here`)
  const credentials = v.parse(accountCredentials, await credentialsOf(merchantId, gatewayId))
  return watch(gatewayType, withinCapabilities(kind, kind.connect(credentials, adapterDeps)))
}

/** The same adapter; what its gateway can't do is answered in words, and nothing is sent. */
export function withinCapabilities(
  { name, can }: Pick<GatewayKind, 'name' | 'can'>,
  gateway: Gateway,
): Gateway {
  return {
    ...gateway,
    authorise: async (request) => {
      const { wish, made } = request.authentication
      if (can.authentication || (wish !== 'challenge' && made === null)) return gateway.authorise(request)
      return {
        kind: 'declined',
        reason: 'invalid_transaction',
        code: 'authentication_not_supported',
        description:
          made === null
            ? `${name} can't have the bank ask the card holder. Leave authentication out, or choose another gateway`
            : `${name} takes no authentication that was made elsewhere. Leave authentication_result out, or choose another gateway`,
        externalId: '',
        externalReference: null,
      }
    },
    capture: async (request) => {
      if (can.partialCapture || request.amount === request.sale.amount) return gateway.capture(request)
      return {
        kind: 'declined',
        reason: 'invalid_transaction',
        code: 'partial_capture_not_supported',
        description: `${name} can't capture a part of a hold. Capture all of it, and refund the rest`,
        externalId: request.sale.id,
        externalReference: null,
      }
    },
    outcomeOf: async (request) => (can.lookUp ? gateway.outcomeOf(request) : { kind: 'unknown' }),
  }
}

/** Whether a gateway accepts a merchant's account, in words for the merchant. */
interface CheckedGateway {
  ok: boolean
  message: string
}

const CHECK_TIMEOUT_MS = 5000

/** What a gateway says of an account that is not kept yet. `message` is a sentence, `path` the part at fault, where that is known. */
type CheckedAccount =
  | { kind: 'works' }
  | { kind: 'refused'; path: keyof AccountCredentials | null; message: string }
  | { kind: 'unreachable'; message: string }

/** Asks a gateway whether it takes an account as a person has entered it; moves no money, never rejects, and ends in time. */
export async function checkEntered(
  deps: AdapterDeps,
  type: string,
  account: AccountCredentials,
): Promise<CheckedAccount> {
  const gateway = gatewayKindOf(type)?.connect(account, deps)
  if (gateway?.check === undefined) return { kind: 'works' }
  const checked = await gateway.check(AbortSignal.timeout(CHECK_TIMEOUT_MS))
  switch (checked.kind) {
    case 'works':
      return checked
    case 'refused':
      return { ...checked, path: checked.path ?? null }
    case 'unreachable':
      return { kind: 'unreachable', message: unreachableInWords(checked.proxyCode) }
  }
}

/** Asks a merchant's gateway something that moves no money; never rejects. */
export async function checkGateway(deps: GatewaysDeps, account: GatewayAccount): Promise<CheckedGateway> {
  if (account.gatewayType === 'sandbox')
    return {
      ok: true,
      message: 'The sandbox is part of this service: it needs no account, and always answers.',
    }
  const adapter = await adapterOf(deps, account).catch(() => null)
  if (adapter === null) return { ok: false, message: 'What was entered for this gateway cannot be read.' }
  if (adapter.check === undefined)
    return { ok: false, message: 'This gateway cannot be tested without moving money.' }
  return inWords(await adapter.check(AbortSignal.timeout(CHECK_TIMEOUT_MS)))
}

function inWords(checked: GatewayCheck): CheckedGateway {
  switch (checked.kind) {
    case 'works':
      return { ok: true, message: 'The gateway answers, and knows the account. No money was moved.' }
    case 'refused':
      return { ok: false, message: checked.message }
    case 'unreachable':
      return { ok: false, message: unreachableInWords(checked.proxyCode) }
  }
}

function unreachableInWords(proxyCode: string | undefined): string {
  return proxyCode === undefined
    ? 'The gateway could not be reached, or gave no answer to rely on.'
    : `The gateway could not be reached: the proxy of this service let nothing through (${proxyCode}).`
}

/** Credentials that may be kept, or the field that is wrong and why. */
export type EnteredCredentials = { credentials: AccountCredentials } | { path: string; message: string }

/**
 * Checks what a person enters on the dashboard for an account at a gateway. Cards are sent to the server that it names, so a merchant's
 * people may only name the gateway's own; an operator may name others. In sandbox, without real cards, it may also be on this machine.
 */
export function enteredCredentials(
  type: string,
  credentials: unknown,
  isSandbox: boolean,
): EnteredCredentials {
  const kind = gatewayKindOf(type)
  if (kind === undefined) return { path: 'type', message: `must be ${GATEWAY_TYPES.join(' or ')}` }
  const entered = readCredentials(kind, credentials)
  if ('message' in entered) return entered
  const { base_url: url } = entered.credentials
  if (kind.servers.isOwn(url) || (isSandbox && url.startsWith('http://'))) return entered
  return { path: 'base_url', message: `must be an address of ${kind.name}, such as ${kind.servers.example}` }
}

/**
 * The credentials that are kept of an account, with another key and address. Payments of the account are known at its place alone, so
 * it must stay the same.
 */
export function replacedKey(
  type: string,
  kept: unknown,
  next: Pick<AccountCredentials, 'api_key' | 'base_url'>,
  isSandbox: boolean,
): EnteredCredentials {
  const before = v.safeParse(accountCredentials, kept)
  if (!before.success) return { path: '', message: 'what was entered before can’t be read' }
  const entered = enteredCredentials(type, { ...before.output, ...next }, isSandbox)
  const kind = gatewayKindOf(type)
  if ('message' in entered || kind?.placeOf(entered.credentials) === kind?.placeOf(before.output))
    return entered
  return {
    path:
      new URL(before.output.base_url).host === new URL(entered.credentials.base_url).host
        ? 'api_key'
        : 'base_url',
    message:
      'is of another account or mode, where earlier payments are not known: add another gateway for it',
  }
}

/** What may be shown of an account: all but its key. Null if it can't be read. */
export function shownAccount(kept: unknown): Omit<AccountCredentials, 'api_key'> | null {
  const read = v.safeParse(accountCredentials, kept)
  if (!read.success) return null
  const { merchant_account, base_url } = read.output
  return { merchant_account, base_url }
}

/** The credentials in the form in which they are kept, or what is wrong with them. Asks no gateway. */
export function readCredentials(kind: GatewayKind, entered: unknown): EnteredCredentials {
  const parsed = v.safeParse(accountCredentials, entered)
  if (!parsed.success) {
    const [issue] = parsed.issues
    return { path: v.getDotPath(issue) ?? '', message: issue.message }
  }
  return kind.faultOf(parsed.output) ?? { credentials: parsed.output }
}

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))

/** Reads what was entered for an account, or what is kept of it. The address loses its last slashes. */
export const accountCredentials = v.object({
  api_key: text,
  merchant_account: text,
  base_url: v.pipe(
    text,
    v.transform((url) => url.replace(/\/+$/, '')),
    v.check(isSafeUrl, 'must be an https:// URL'),
  ),
}) satisfies v.GenericSchema<unknown, AccountCredentials>

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isBare = username === '' && search === '' && hash === ''
  return isBare && (protocol === 'https:' || (protocol === 'http:' && isHere))
}
