import { randomBytes } from 'node:crypto'
import type { Domain } from '../../platform/domain.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import { oneTimeTokenOf } from '../../platform/secrets/one-time-token.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { addPaymentSourceRoutes } from './routes.ts'
import type { CheckoutOf } from './routes.ts'
import { deleteOld, eraseExpired, tokenClaim, tokenHashOf } from './token-store.ts'
import { cardOf, findToken, tokenNotFound } from './tokens.ts'
import type { FoundToken, TokensDeps } from './tokens.ts'

interface PaymentSourcesNeeds {
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<object | null>
  checkoutOf: CheckoutOf
}

/** What other domains may call of payment sources. */
export interface PaymentSourcesApi {
  findToken: (token: string) => Promise<FoundToken>
  tokenNotFound: typeof tokenNotFound
  /** SQL that takes, spends or releases a token within a charge's statements. */
  tokenClaim: typeof tokenClaim
  hashOf: typeof tokenHashOf
  cardOf: (merchantId: string, token: string) => ReturnType<typeof cardOf>
}

/** Keeps cards in the vault, behind one-time tokens. */
export function paymentSourcesDomain(
  platform: Platform,
  { gatewayOf, checkoutOf }: PaymentSourcesNeeds,
): Domain<PaymentSourcesApi> {
  const { database, masterKeys, secretsFor, timeOfDay } = platform
  const deps: TokensDeps = {
    database,
    vault: createVault(masterKeys),
    timeOfDay,
    createToken: () => oneTimeTokenOf(randomBytes(16)),
    secrets: [...secretsFor('payment-source-token').values()],
    hasGateway: async (merchantId, gatewayId) => (await gatewayOf(merchantId, gatewayId)) !== null,
  }
  const erasing = workInBatches([() => eraseExpired(database), () => deleteOld(database)])
  return {
    api: {
      findToken: (token) => findToken(deps, token),
      tokenNotFound,
      tokenClaim,
      hashOf: tokenHashOf,
      cardOf: (merchantId, token) => cardOf(deps, merchantId, token),
    },
    addRoutes: (app, access) => addPaymentSourceRoutes(app, { ...deps, checkoutOf }, access),
    jobs: [
      {
        name: 'erase expired tokens',
        everyMs: 60_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, erasing.work),
        abort: erasing.abort,
      },
    ],
  }
}
