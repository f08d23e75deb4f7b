import * as v from 'valibot'
import { jsonOf, readAnswer, send } from './ask-service.ts'
import { CardServiceFault } from './card-service-fault.ts'
import type { ShopKeys } from './shop-keys.ts'

/** How long before its end a token is replaced, so that one that is sent is still valid when it arrives. */
const EARLY_MS = 60_000

/** The answer of a token endpoint (RFC 6749 §5). */
const TokenAnswer = v.union([
  v.object({ access_token: v.string(), expires_in: v.number() }),
  v.object({ error: v.string() }),
])

/** The shop's access token for agreements. */
export interface AccessTokens {
  /** The token, and the service that it is for. Throws a `CardServiceFault` if there is none. */
  current: () => Promise<{ token: string; serviceUrl: string }>
  /** Drops a token that the service did not take. */
  forget: () => void
}

interface Kept {
  clientId: string
  /** Milliseconds on the clock. */
  until: number
  token: string
}

/** Keeps an access token until shortly before its end; `now` is in milliseconds and never goes back. */
export function createAccessTokens(
  keys: () => Promise<ShopKeys>,
  now: () => number = () => performance.now(),
): AccessTokens {
  let kept: Kept | undefined
  let asking: Promise<Kept> | undefined
  return {
    async current() {
      const { service_url: serviceUrl, client_id: clientId, client_secret: secret } = await keys()
      if (clientId === undefined || secret === undefined) throw noClient()
      if (kept?.clientId !== clientId || kept.until <= now()) {
        // Requests that come meanwhile wait for the same token.
        asking ??= askForToken(serviceUrl, clientId, secret, now()).finally(() => (asking = undefined))
        kept = await asking
      }
      return { token: kept.token, serviceUrl }
    },
    forget() {
      kept = undefined
    },
  }
}

async function askForToken(
  serviceUrl: string,
  clientId: string,
  secret: string,
  asked: number,
): Promise<Kept> {
  const response = await send(`${serviceUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
  })
  const answer = readAnswer(TokenAnswer, await jsonOf(response))
  if ('error' in answer) throw new CardServiceFault('unauthorized', answer.error)
  return { clientId, token: answer.access_token, until: asked + answer.expires_in * 1000 - EARLY_MS }
}

function noClient(): CardServiceFault {
  return new CardServiceFault(
    'keys_missing',
    'There is no OAuth client in the keys.',
    'The card service has not given this shop an OAuth client, which agreements need.',
  )
}
