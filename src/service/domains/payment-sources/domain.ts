import { randomBytes } from 'node:crypto'
import type { Domain } from '../../platform/domain.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import { oneTimeTokenOf } from '../../platform/secrets/one-time-token.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { createCardOf, createTokens, tokenNotFound } from './tokens.ts'
import type { CardOf, Tokens } from './tokens.ts'
import { addPaymentSourceRoutes } from './routes.ts'
import type { CheckoutOf } from './routes.ts'
import { createTokenStore } from './token-store.ts'
import { tokenClaim } from './token-claim.ts'
import { tokenHashOf } from './token-hash.ts'

interface Needs {
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<object | null>
  checkoutOf: CheckoutOf
}

/** What other domains may call of payment sources. */
export interface PaymentSourcesApi {
  findToken: Tokens['find']
  tokenNotFound: typeof tokenNotFound
  /** A token's part in a charge's statements. */
  tokenClaim: typeof tokenClaim
  /** What may be kept of a token. */
  hashOf: (token: string) => Buffer
  cardOf: CardOf
}

/** Cards in the vault, behind one-time tokens. */
export function paymentSourcesDomain(platform: Platform, needs: Needs): Domain<PaymentSourcesApi> {
  const { gatewayOf, checkoutOf } = needs
  const { database, masterKeys, secretsFor, timeOfDay } = platform
  const store = createTokenStore(database)
  const tokens = createTokens({
    store,
    vault: createVault(masterKeys),
    timeOfDay,
    createToken: () => oneTimeTokenOf(randomBytes(16)),
    secrets: [...secretsFor('payment-source-token').values()],
    hasGateway: async (merchantId, gatewayId) => (await gatewayOf(merchantId, gatewayId)) !== null,
  })
  const erasing = workInBatches([store.eraseExpired, store.deleteOld])
  return {
    api: {
      findToken: tokens.find,
      tokenNotFound,
      tokenClaim,
      hashOf: tokenHashOf,
      cardOf: createCardOf(tokens),
    },
    addRoutes: (app, access) => addPaymentSourceRoutes(app, { tokens, checkoutOf, ...access }),
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
