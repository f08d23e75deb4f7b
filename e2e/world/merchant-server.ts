import * as v from 'valibot'
import { AuthenticationStep } from '../../src/contract/api/charges/authentication.ts'
import { SERVICE_URL } from './addresses.ts'
import type { Merchant } from './merchants.ts'

const Token = v.string()
const Thing = v.object({ _id: v.string() })
const Webhook = v.object({ secret: v.string() })
const Charge = v.object({ _id: v.string(), status: v.string() })

interface Sale {
  amount: string
  reference?: string
  description?: string
  customer?: object
  /** Whether the funds are only held. */
  isHold?: boolean
  number?: string
  /** The card's expiry; the sandbox declines some dates. */
  expiry?: { month: number; year: number }
  holder?: string
}

/** What the browser of a card holder tells of itself. */
const BROWSER = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 1280,
  screen_height: 720,
  color_depth: 24,
}

const Asked = v.object({
  _id: v.string(),
  _3ds: v.object({ id: v.string(), token: v.optional(v.string(), '') }),
})
/** A charge that waits for its card holder, and what their page needs to ask them. */
export type Asked = v.InferOutput<typeof Asked>

const Session = v.object({ status: v.string(), step: v.nullable(AuthenticationStep) })

async function send(url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return text
}

/** Where the form of a page of the bank leads, and its hidden fields. */
function formIn(html: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? ''
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}

const GOOD_EXPIRY = { month: 1, year: 2039 }

interface Checkout {
  version: number
  amount: string
  reference: string
  description?: string
  customisation?: { template_id: string }
}

/** A merchant's server, which asks the REST API with the merchant's keys. */
export class MerchantServer {
  readonly #merchant: Merchant

  constructor(merchant: Merchant) {
    this.#merchant = merchant
  }

  /** Charges a card; returns the charge's id. */
  async charge({ isHold = false, number = '4111111111111111', ...sale }: Sale) {
    const { expiry = GOOD_EXPIRY, holder = 'Grace Hopper', ...body } = sale
    const token = await this.#ask(Token, '/v1/payment_sources/tokens', {
      headers: { 'x-user-public-key': this.#merchant.publicKey },
      body: {
        type: 'card',
        card_name: holder,
        card_number: number,
        card_ccv: '100',
        expire_month: expiry.month,
        expire_year: expiry.year,
      },
    })
    return this.#make(`/v1/charges?capture=${String(!isHold)}`, { currency: 'AUD', token, ...body })
  }

  /** Holds 49.95 of a card whose bank asks its holder. */
  async ask(
    number: string,
    order: Pick<Sale, 'reference' | 'description' | 'customer'> = {},
  ): Promise<Asked> {
    const token = await this.#ask(Token, '/v1/payment_sources/tokens', {
      headers: { 'x-user-public-key': this.#merchant.publicKey },
      body: {
        type: 'card',
        card_name: 'Grace Hopper',
        card_number: number,
        card_ccv: '100',
        expire_month: GOOD_EXPIRY.month,
        expire_year: GOOD_EXPIRY.year,
        browser: BROWSER,
      },
    })
    const headers = { 'x-user-secret-key': this.#merchant.secretKey }
    const body = {
      ...order,
      ...{ amount: '49.95', currency: 'AUD', token, statement_descriptor: 'LAMPS OF SYDNEY' },
    }
    return this.#ask(Asked, '/v1/charges?capture=false', { headers, body })
  }

  /** What the page of an asked card holder is told. */
  async session({ _3ds: { id, token } }: Asked): Promise<v.InferOutput<typeof Session>> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${SERVICE_URL}/v1/authentications/${id}`, { headers })
    return v.parse(v.object({ resource: v.object({ data: Session }) }), await answer.json()).resource.data
  }

  /** Gives the bank's page codes, one after the other, as a card holder does, and lets it send the browser back. */
  async answerBank(asked: Asked, codes: readonly string[]): Promise<void> {
    const { step } = await this.session(asked)
    if (step?.kind !== 'challenge') throw new Error('the bank asks nothing')
    let form = formIn(await send(step.url, { creq: step.creq }))
    for (const code of codes)
      form = formIn(
        await send(new URL('/3ds/challenge/answer', step.url).href, { ...form.fields, action: 'code', code }),
      )
    await send(form.action, form.fields)
  }

  /** Leaves the bank's step, as a card holder does. */
  async giveUp({ _3ds: { id, token } }: Asked): Promise<void> {
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${SERVICE_URL}/v1/authentications/${id}`, { method: 'DELETE', headers })
  }

  /** Charges an amount that the sandbox gateway declines. */
  async decline(amount: string): Promise<void> {
    const outcome = await this.charge({ amount }).then(
      () => 'approved',
      (error: unknown) => String(error),
    )
    if (!outcome.includes('answered 422')) throw new Error(`${amount} was to be declined: ${outcome}`)
  }

  async refund(chargeId: string, body: { amount: string; reference?: string }): Promise<void> {
    await this.#make(`/v1/charges/${chargeId}/refunds`, body)
  }

  /** Makes a webhook for all events; returns the secret by which its messages are signed. */
  async addWebhook(url: string): Promise<string> {
    const headers = { 'x-user-secret-key': this.#merchant.secretKey }
    return (await this.#ask(Webhook, '/v1/webhooks', { headers, body: { url } })).secret
  }

  /** A charge as the API has it now. */
  async read(chargeId: string): Promise<v.InferOutput<typeof Charge>> {
    const headers = { 'x-user-secret-key': this.#merchant.secretKey }
    const answer = await fetch(`${SERVICE_URL}/v1/charges/${chargeId}`, { headers })
    return v.parse(v.object({ resource: v.object({ data: Charge }) }), await answer.json()).resource.data
  }

  /** Makes a checkout; returns its id. */
  checkout(body: Checkout): Promise<string> {
    return this.#make('/v1/checkouts/intent', body)
  }

  /** The status with which the API answers: 401 once the secret key has ended. */
  async status(): Promise<number> {
    const headers = { 'x-user-secret-key': this.#merchant.secretKey }
    return (await fetch(`${SERVICE_URL}/v1/charges?limit=1`, { headers })).status
  }

  async #make(path: string, body: object): Promise<string> {
    const headers = { 'x-user-secret-key': this.#merchant.secretKey }
    return (await this.#ask(Thing, path, { headers, body }))._id
  }

  async #ask<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    { headers, body }: { headers: Record<string, string>; body: object },
  ): Promise<v.InferOutput<Schema>> {
    const answer = await fetch(SERVICE_URL + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    const { success, output } = v.safeParse(
      v.object({ resource: v.object({ data: v.unknown() }) }),
      JSON.parse(text),
    )
    if (!answer.ok || !success) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return v.parse(schema, output.resource.data)
  }
}
