import * as v from 'valibot'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import { AdyenAccount } from './adyen/adyen-account.ts'
import { createAdyenGateway } from './adyen/adyen-gateway.ts'
import type { Gateway, GatewayCheck } from './gateway.ts'

/** One gateway of one merchant. */
export interface GatewayAccount {
  merchantId: string
  gatewayId: string
  gatewayType: string
}

export interface GatewaysDeps {
  /** Adapters that need no account, by the type of their gateway; already watched. */
  adapters: ReadonlyMap<string, Gateway>
  /** What was entered for a gateway; rejects if it can't be read. */
  credentialsOf: (merchantId: string, gatewayId: string) => Promise<unknown>
  /** Where card holders would be sent back to. */
  returnUrl: string
  createKey: () => string
  onFault: (error: Error) => void
  /** Wraps an adapter to time and trace its calls. */
  watch: (type: string, gateway: Gateway) => Gateway
  /** How long a sale may be under way to a gateway that has no look-up, in ms. */
  settleMs?: number | undefined
  /** How adapters speak HTTP. */
  send: SendRequest
}

/** The adapter of a merchant's gateway, with its account; rejects if there is none, and then nothing is sent. */
export async function adapterOf(deps: GatewaysDeps, account: GatewayAccount): Promise<Gateway> {
  const { adapters, credentialsOf, returnUrl, createKey, onFault, watch, settleMs, send } = deps
  const { merchantId, gatewayId, gatewayType } = account
  const adapter = adapters.get(gatewayType)
  if (adapter !== undefined) return adapter
  if (gatewayType !== 'adyen') throw new Error(`no gateway of type ${gatewayType} may be used here`)
  return watch(
    gatewayType,
    createAdyenGateway({
      account: v.parse(AdyenAccount, await credentialsOf(merchantId, gatewayId)),
      sendRequest: send,
      returnUrl,
      createKey,
      onFault,
      ...(settleMs !== undefined && { settleMs }),
    }),
  )
}

/** Whether a gateway accepts a merchant's account, in words for the merchant. */
interface CheckedGateway {
  ok: boolean
  message: string
}

const CHECK_TIMEOUT_MS = 5000

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
export type EnteredCredentials = { credentials: unknown } | { path: string; message: string }

/** Adyen's own servers, test and live, with the API's version. */
const ADYEN =
  /^https:\/\/(?:checkout-test\.adyen\.com|[a-z\d-]+-checkout-live\.adyenpayments\.com\/checkout)\/v\d{1,3}$/

/**
 * Checks what a person enters on the dashboard for an account at a gateway. Cards are sent to the server that it names, so a merchant's
 * people may only name the gateway's own; an operator may name others. In sandbox, without real cards, it may also be on this machine.
 */
export function enteredCredentials(
  type: string,
  credentials: unknown,
  isSandbox: boolean,
): EnteredCredentials {
  if (type !== 'adyen') return { path: 'type', message: 'must be adyen' }
  const parsed = v.safeParse(AdyenAccount, credentials)
  if (!parsed.success) {
    const [issue] = parsed.issues
    return { path: v.getDotPath(issue) ?? '', message: issue.message }
  }
  const { base_url: url } = parsed.output
  const mayBe = ADYEN.test(url) || (isSandbox && url.startsWith('http://'))
  if (mayBe) return { credentials: parsed.output }
  return {
    path: 'base_url',
    message:
      'must be an address of Adyen, such as https://checkout-test.adyen.com/v72 or https://PREFIX-checkout-live.adyenpayments.com/checkout/v72',
  }
}
