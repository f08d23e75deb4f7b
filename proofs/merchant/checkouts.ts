import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Keys } from '../machines/service-process.ts'
import type { HttpApi } from './http-api.ts'

const Made = v.object({ token: v.string() })
const Session = v.object({ status: v.string() })

/** Makes a checkout, and returns the token of its page. */
export async function makeCheckout(api: HttpApi, { secretKey }: Keys): Promise<string> {
  const { text } = await api.send({
    method: 'POST',
    path: '/v1/checkouts/intent',
    headers: { 'x-user-secret-key': secretKey },
    body: { version: 1, amount: '10.00' },
  })
  return v.parse(Made, v.parse(Envelope, JSON.parse(text)).resource.data).token
}

/** The status that a checkout's page reads, or the code of the error. */
export async function statusOfCheckout(api: HttpApi, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const { text } = await api.send({ method: 'GET', path: '/v1/checkouts/session', headers })
  const { error, resource } = v.parse(Envelope, JSON.parse(text))
  return error === null ? v.parse(Session, resource.data).status : error.code
}
