import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { ChargeResource } from '../../contract/api/charges/charge-resource.ts'
import type { Answer, TestService } from './test-service.ts'

/** The calls of a merchant's server, as the test service's own merchant. */
export interface ChargeCalls {
  secret: () => { 'x-user-secret-key': string }
  sell: (payload: object, query?: string) => Promise<Answer>
  capture: (id: string, payload?: object) => Promise<Answer>
  cancel: (id: string) => Promise<Answer>
  refund: (id: string, payload: object) => Promise<Answer>
  read: (id: string) => Promise<ChargeResource>
}

/** The charge of an answer; fails the test when it is not exactly what the contract says. */
export const chargeOf = ({ body }: Answer): ChargeResource => v.parse(ChargeResource, body.resource.data)

/** Any request of the test service's own merchant, with both of its keys, whichever the route asks for. */
export const sendWithKeys =
  ({ call, merchant: { secretKey, publicKey } }: TestService) =>
  (
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    call({
      method,
      url,
      headers: { 'x-user-secret-key': secretKey, 'x-user-public-key': publicKey, ...headers },
      ...(payload && { payload }),
    })

export function chargeCalls(service: TestService): ChargeCalls {
  const secret = () => ({ 'x-user-secret-key': service.merchant.secretKey })
  return {
    secret,
    sell: (payload, query = '?capture=false') =>
      service.call({ method: 'POST', url: `/v1/charges${query}`, headers: secret(), payload }),
    capture: (id, payload) =>
      service.call({
        method: 'POST',
        url: `/v1/charges/${id}/capture`,
        headers: secret(),
        ...(payload !== undefined && { payload }),
      }),
    refund: (id, payload) =>
      service.call({ method: 'POST', url: `/v1/charges/${id}/refunds`, headers: secret(), payload }),
    cancel: (id) => service.call({ method: 'DELETE', url: `/v1/charges/${id}/capture`, headers: secret() }),
    read: async (id) => chargeOf(await service.call({ url: `/v1/charges/${id}`, headers: secret() })),
  }
}
