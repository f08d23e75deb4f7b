import * as v from 'valibot'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Answer, TestService } from '../test-service.ts'
import type { Processes } from './operation.ts'

/** The calls of one merchant's server to two processes of the service. */
export interface MerchantCalls {
  get: (url: string) => Promise<Answer>
  post: (url: string, payload: object) => Promise<Answer>
  /** Sends the same request to each of these processes at once. */
  postBy: (processes: Processes, url: string, payload: object) => Promise<Answer[]>
  patch: (url: string, payload: object, ifMatch: string | undefined) => Promise<Answer>
}

const TokenAnswer = v.object({ access_token: v.string() })
/** A token lives for 15 minutes. */
const FRESH_MS = 600_000

/** `epochMs`: the current time, which a test sets; a new token is asked for when the old one has expired or is from a later time. */
export async function createMerchantCalls(
  [first, second]: readonly [TestService, TestService],
  epochMs: () => number,
): Promise<MerchantCalls> {
  const askForToken = await tokensFor(first)
  let token = { text: await askForToken(), at: epochMs() }
  const send = async (
    service: TestService,
    request: { url: string; method: 'GET' | 'POST' | 'PATCH'; payload?: object; ifMatch?: string },
  ): Promise<Answer> => {
    const { ifMatch, ...rest } = request
    const authorization = `Bearer ${token.text}`
    return service.call({
      ...rest,
      headers: { authorization, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    })
  }
  const renew = async () => {
    if (Math.abs(epochMs() - token.at) > FRESH_MS || token.at > epochMs())
      token = { text: await askForToken(), at: epochMs() }
  }
  return {
    async get(url) {
      await renew()
      return send(first, { url, method: 'GET' })
    },
    async post(url, payload) {
      await renew()
      return send(first, { url, method: 'POST', payload })
    },
    async postBy(processes, url, payload) {
      await renew()
      const services = [
        ...(processes === 'second' ? [] : [first]),
        ...(processes === 'first' ? [] : [second]),
      ]
      return Promise.all(services.map((service) => send(service, { url, method: 'POST', payload })))
    },
    async patch(url, payload, ifMatch) {
      await renew()
      return send(second, { url, method: 'PATCH', payload, ...(ifMatch !== undefined && { ifMatch }) })
    },
  }
}

async function tokensFor({ raw, oauth, merchant }: TestService): Promise<() => Promise<string>> {
  const client = await oauth.clients.make(merchant.merchant.id, SCOPES)
  if (client === null) throw new Error('the merchant is not known')
  const { clientId: client_id, clientSecret: client_secret } = client
  const payload = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return async () => {
    const { body } = await raw({ method: 'POST', url: '/oauth/token', headers, payload })
    return v.parse(TokenAnswer, JSON.parse(body)).access_token
  }
}
