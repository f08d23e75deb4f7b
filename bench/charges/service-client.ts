import { openConnection } from '../http-connection.ts'
import type { HttpConnection } from '../http-connection.ts'

/** A merchant's server at work over kept-alive connections. */
export interface ServiceClient {
  /** Creates tokens beforehand, as tokenising is not measured. */
  prepare: (count: number) => Promise<void>
  /** One authorisation and one capture; throws unless both are acknowledged. */
  authoriseAndCapture: () => Promise<void>
  close: () => void
}

interface ServiceOptions {
  /** The port of each process of the service: connections go to them by turns. */
  ports: readonly number[]
  publicKey: string
  secretKey: string
  clients: number
}

/** Amounts, references and cards differ, as they do in a shop, because indexes contain all of them. */
const cardOf = (n: number) =>
  JSON.stringify({
    type: 'card',
    card_name: 'Grace Hopper',
    card_number: cardNumberOf(n),
    expire_month: '01',
    expire_year: '39',
    card_ccv: '100',
  })
const saleOf = (n: number, token: string) =>
  JSON.stringify({
    amount: (10 + ((n * 7901) % 50_000) / 100).toFixed(2),
    currency: 'AUD',
    reference: `shop-${String(n)}`,
    token,
  })

/** The n-th number of one range, with its check digit (Luhn). */
function cardNumberOf(n: number): string {
  const digits = `51111111${String((n * 7907) % 10_000_000).padStart(7, '0')}`
  const sum = digits.split('').reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${String((10 - (sum % 10)) % 10)}`
}

export async function createServiceClient({
  ports,
  publicKey,
  secretKey,
  clients,
}: ServiceOptions): Promise<ServiceClient> {
  const tokens: string[] = []
  let made = 0
  const connections = await Promise.all(
    Array.from({ length: clients }, (_, at) => openConnection(ports[at % ports.length] ?? 0)),
  )
  const idle = [...connections]
  const secret = `x-user-secret-key: ${secretKey}\r\n`
  const tokenise = async (connection: HttpConnection) => {
    made += 1
    const answer = await connection.post(
      '/v1/payment_sources/tokens',
      `x-user-public-key: ${publicKey}\r\n`,
      cardOf(made),
    )
    tokens.push(found(/"data":"([0-9a-f-]{36})"/, answer))
  }
  return {
    async prepare(count) {
      while (tokens.length < count) await Promise.all(connections.map(tokenise))
    },
    async authoriseAndCapture() {
      const [token, connection] = [tokens.pop(), idle.pop()]
      if (token === undefined || connection === undefined) throw new Error('out of tokens or connections')
      const charge = await connection.post('/v1/charges?capture=false', secret, saleOf(tokens.length, token))
      const id = found(/"_id":"([0-9a-f]{24})"/, charge)
      await connection.post(`/v1/charges/${id}/capture`, secret, '{}')
      idle.push(connection)
    },
    close: () => {
      for (const connection of connections) connection.close()
    },
  }
}

function found(pattern: RegExp, text: string): string {
  const [, part] = pattern.exec(text) ?? []
  if (part === undefined) throw new Error(`the answer lacks ${String(pattern)}`)
  return part
}
