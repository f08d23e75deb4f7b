import { Agent, request } from 'node:http'
import * as v from 'valibot'

/** A merchant's server at work over kept-alive connections. */
export interface ServiceClient {
  /** Makes tokens beforehand, as tokenising is not measured. */
  prepare: (count: number) => Promise<void>
  /** One authorisation and one capture; throws unless both are acknowledged. */
  authoriseAndCapture: () => Promise<void>
  close: () => void
}

interface Wish {
  port: number
  publicKey: string
  secretKey: string
  clients: number
}

const TokenAnswer = v.object({ resource: v.object({ data: v.string() }) })
const ChargeAnswer = v.object({ resource: v.object({ data: v.object({ _id: v.string() }) }) })
const card = {
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
}

export function createServiceClient({ port, publicKey, secretKey, clients }: Wish): ServiceClient {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const tokens: string[] = []
  const post = (path: string, body: object, headers: Record<string, string>) =>
    new Promise<unknown>((resolve, reject) => {
      const payload = JSON.stringify(body)
      const all = {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }
      const sent = request(
        { agent, port, host: '127.0.0.1', path, method: 'POST', headers: all },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            if (answer.statusCode === 201) resolve(JSON.parse(text))
            else reject(new Error(`${path}: ${text}`))
          })
        },
      )
      sent.on('error', reject)
      sent.end(payload)
    })
  const secret = { 'x-user-secret-key': secretKey }
  const tokenise = async () => {
    const answer = await post('/v1/payment_sources/tokens', card, { 'x-user-public-key': publicKey })
    tokens.push(v.parse(TokenAnswer, answer).resource.data)
  }
  return {
    async prepare(count) {
      while (tokens.length < count) await Promise.all(Array.from({ length: 16 }, tokenise))
    },
    async authoriseAndCapture() {
      const token = tokens.pop()
      if (token === undefined) throw new Error('out of tokens: prepare more')
      const answer = await post(
        '/v1/charges?capture=false',
        { amount: '10.00', currency: 'AUD', token },
        secret,
      )
      const { resource } = v.parse(ChargeAnswer, answer)
      await post(`/v1/charges/${resource.data._id}/capture`, {}, secret)
    },
    close: () => agent.destroy(),
  }
}
