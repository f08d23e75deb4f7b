import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Clients } from '../domains/oauth/clients.ts'
import type { Scope } from '../../contract/api/scope.ts'

const TokenAnswer = v.object({ access_token: v.string() })

/** Makes a client and asks the token endpoint for its access token. */
export async function askForToken(
  app: FastifyInstance,
  clients: Clients,
  merchantId: string,
  scopes: readonly Scope[],
): Promise<string> {
  const client = await clients.make(merchantId, scopes)
  if (client === null) throw new Error(`there is no merchant ${merchantId}`)
  const { clientId: client_id, clientSecret: client_secret } = client
  const { body } = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
  })
  return v.parse(TokenAnswer, JSON.parse(body)).access_token
}
