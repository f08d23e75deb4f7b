import * as v from 'valibot'

const Answer = v.object({
  resource: v.object({
    data: v.nullable(v.union([v.string(), v.object({ _id: v.string(), status: v.string() })])),
  }),
})
const Charge = v.object({ _id: v.string(), status: v.string() })

/** The calls of a merchant's server, by HTTP. A connection that breaks throws. */
export interface MerchantServer {
  /** The charge that was acknowledged with 201, or null. */
  authorise: (amount: string) => Promise<v.InferOutput<typeof Charge> | null>
  capture: (id: string, amount: string) => Promise<v.InferOutput<typeof Charge> | null>
}

interface Wish {
  url: string
  publicKey: string
  secretKey: string
}

const card = {
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
}

export function merchantServer({ url, publicKey, secretKey }: Wish): MerchantServer {
  const post = async (path: string, body: object, key: Record<string, string>) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    const { resource } = v.parse(Answer, await answer.json())
    return answer.status === 201 ? resource.data : null
  }
  const secret = { 'x-user-secret-key': secretKey }
  return {
    async authorise(amount) {
      const token = await post('/v1/payment_sources/tokens', card, { 'x-user-public-key': publicKey })
      const charge = await post('/v1/charges?capture=false', { amount, currency: 'AUD', token }, secret)
      return v.is(Charge, charge) ? charge : null
    },
    async capture(id, amount) {
      const charge = await post(`/v1/charges/${id}/capture`, { amount }, secret)
      return v.is(Charge, charge) ? charge : null
    },
  }
}
