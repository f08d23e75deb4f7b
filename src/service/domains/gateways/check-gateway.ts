import type { GatewayCheck } from './gateway.ts'
import type { FindGateway } from './gateway-finder.ts'

/** Whether a gateway lets a merchant in, in words for the merchant. */
interface CheckedGateway {
  ok: boolean
  message: string
}

/** Asks a merchant's gateway something that moves no money; never rejects. */
export type CheckGateway = (account: Parameters<FindGateway>[0]) => Promise<CheckedGateway>

const TIMEOUT_MS = 5000

export function createCheckGateway(adapterOf: FindGateway): CheckGateway {
  return async (account) => {
    if (account.gatewayType === 'sandbox')
      return {
        ok: true,
        message: 'The sandbox is part of this service: it needs no account, and always answers.',
      }
    const adapter = await adapterOf(account).catch(() => null)
    if (adapter === null) return { ok: false, message: 'What was entered for this gateway cannot be read.' }
    if (adapter.check === undefined)
      return { ok: false, message: 'This gateway cannot be tested without moving money.' }
    return inWords(await adapter.check(AbortSignal.timeout(TIMEOUT_MS)))
  }
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
