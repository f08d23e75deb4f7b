import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Answer, Call, HttpApi } from '../merchant/http-api.ts'

/** A merchant's program that asks with access tokens; it gets a new one where the old one is no longer taken. */
export interface AgreementApi {
  /** Rejects when `HttpApi.send` would. */
  send: (call: Call) => Promise<Answer>
  /** Makes an agreement that its debtor accepts, and waits until it is active; its id. */
  makeActive: (request: AgreementRequest) => Promise<string>
  /** Does what a payer does at the sandbox's bank (contract §6.8). */
  answerAsPayer: (id: string, answer: string) => Promise<Answer>
}

export interface AgreementRequest {
  type: 'oneoff' | 'recurring' | 'adhoc'
  payment_terms: object
  /** The name before `@sandbox.example` (contract §6.8); without one the payer answers on its bank's page. */
  debtor?: string
  start_date?: string
  max_number_of_payments?: number
}

interface Credentials {
  clientId: string
  clientSecret: string
}

const Token = v.object({ access_token: v.string() })
const Read = v.object({ _id: v.string(), status: v.string() })
const MAX_WAIT_MS = 30_000
const POLL_MS = 100

export function createAgreementApi(api: HttpApi, credentials: Credentials): AgreementApi {
  let token = askForToken(api, credentials)

  async function send(call: Call): Promise<Answer> {
    const used = token
    const answer = await api.send(await withToken(call, used))
    if (answer.status !== 401) return answer
    if (token === used) token = askForToken(api, credentials)
    return api.send(await withToken(call, token))
  }

  const answerAsPayer = (id: string, answer: string) =>
    api.send({ method: 'POST', path: `/sandbox/bank/agreements/${id}/answers`, body: { answer } })

  return {
    send,
    answerAsPayer,
    async makeActive(request) {
      const made = await send({ method: 'POST', path: '/agreements', body: toRequest(request) })
      if (made.status !== 201) throw new Error(`an agreement was answered ${made.status}: ${made.text}`)
      const { _id: id } = dataOf(Read, made)
      if (request.debtor === undefined)
        await until(async () => (await answerAsPayer(id, 'accept')).status === 200)
      await until(async () => {
        const read = await send({ method: 'GET', path: `/agreements/${id}` })
        return dataOf(Read, read).status === 'active'
      })
      return id
    },
  }
}

/** The resource in an answer. */
function dataOf<Shape extends v.GenericSchema>(shape: Shape, { text }: Answer): v.InferOutput<Shape> {
  return v.parse(shape, v.parse(Envelope, JSON.parse(text)).resource.data)
}

/** The error code in an answer; null where there is no error. */
export function errorCodeOf({ text }: Answer): string | null {
  return v.parse(Envelope, JSON.parse(text)).error?.code ?? null
}

/** Waits until `isSo`, for `maxMs` at most. */
export async function until(isSo: () => Promise<boolean>, maxMs = MAX_WAIT_MS): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += POLL_MS) {
    if (waited > maxMs) throw new Error(`after ${maxMs} ms it is still not so: ${String(isSo)}`)
    await sleep(POLL_MS)
  }
}

async function withToken(call: Call, token: Promise<string>): Promise<Call> {
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${await token}` } }
}

/** Asks until a service answers, as one that was killed is started again. */
async function askForToken(api: HttpApi, { clientId, clientSecret }: Credentials): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  for (;;) {
    const answer = await api.send({ method: 'POST', path: '/oauth/token', body }).catch(() => null)
    if (answer?.status === 200) return v.parse(Token, JSON.parse(answer.text)).access_token
    if (answer !== null && answer.status < 500) throw new Error(`no access token: ${answer.text}`)
    await sleep(POLL_MS)
  }
}

function toRequest({ debtor, ...request }: AgreementRequest): object {
  const address =
    debtor === undefined
      ? { account: { bsb: '062-000', account_number: '12345678' } }
      : { pay_id: { type: 'EMAIL', value: `${debtor}@sandbox.example` } }
  return {
    description: 'Water',
    purpose: 'utility',
    debtor: { name: 'Grace Hopper', type: 'person', ...address },
    creditor: { name: 'Acme Water', account: { bsb: '802-985', account_number: '123456789' } },
    ...request,
  }
}
