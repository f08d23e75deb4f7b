import { openConnection } from './http-connection.ts'
import type { HttpConnection } from './http-connection.ts'

/** A merchant's server at work over kept-alive connections. */
export interface ServiceClient {
  /** Creates tokens beforehand, as tokenising is not measured. */
  prepare: (count: number) => Promise<void>
  /** One authorisation and one capture; throws unless both are acknowledged. */
  authoriseAndCapture: () => Promise<void>
  close: () => void
}

interface ServiceOptions {
  port: number
  publicKey: string
  secretKey: string
  clients: number
}

const card = JSON.stringify({
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
})

export async function createServiceClient({
  port,
  publicKey,
  secretKey,
  clients,
}: ServiceOptions): Promise<ServiceClient> {
  const tokens: string[] = []
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(port)))
  const idle = [...connections]
  const secret = `x-user-secret-key: ${secretKey}\r\n`
  const tokenise = async (connection: HttpConnection) => {
    const answer = await connection.post(
      '/v1/payment_sources/tokens',
      `x-user-public-key: ${publicKey}\r\n`,
      card,
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
      const request = JSON.stringify({ amount: '10.00', currency: 'AUD', token })
      const charge = await connection.post('/v1/charges?capture=false', secret, request)
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
