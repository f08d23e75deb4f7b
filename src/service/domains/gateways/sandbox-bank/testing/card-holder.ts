import type { LightMyRequestResponse } from 'fastify'
import * as v from 'valibot'
import { AuthenticationSession } from '../../../../../contract/api/charges/authentication.ts'
import { ChargeResource } from '../../../../../contract/api/charges/charge-resource.ts'
import type { Answer, TestService } from '../../../../testing/test-service.ts'

/** What a browser tells of itself with a card. */
export const BROWSER = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}

/** The card whose bank asks for a code. */
export const ASKS_CODE = '4970110000001011'

/** A charge whose card holder may be asked, with the calls that their page would make. */
export interface Asked {
  answer: Answer
  charge: ChargeResource
  /** What the page reads. */
  session: () => Promise<AuthenticationSession>
  /** What the page tells. */
  tell: (told: object) => Promise<AuthenticationSession>
  giveUp: () => Promise<AuthenticationSession>
  /** The charge as it is now. */
  now: () => Promise<ChargeResource>
}

/** Sends a form as a browser in a frame does. */
export async function post(
  { bank }: TestService,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<LightMyRequestResponse> {
  if (bank === null) throw new Error('the bank is not served')
  return bank.inject({
    method: 'POST',
    url: new URL(url, 'http://bank.example').pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

interface Wanted {
  card?: string
  /** Null: the card came from no browser. */
  browser?: object | null
  /** Of the charge's request. */
  request?: object
}

/** Makes a charge by a card of the sandbox's bank; its funds are held. */
export async function charge(
  service: TestService,
  { card = ASKS_CODE, browser = BROWSER, request = {} }: Wanted = {},
): Promise<Asked> {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const token = await service.tokenise({ card_number: card, ...(browser !== null && { browser }) })
  const answer = await service.call({
    method: 'POST',
    url: '/v1/charges?capture=false',
    headers,
    payload: { amount: '10.00', currency: 'AUD', token, ...request },
  })
  const made = v.parse(ChargeResource, answer.body.resource.data)
  const ask = async (method: 'GET' | 'POST' | 'DELETE', payload?: object) => {
    const { body } = await service.call({
      method,
      url: `/v1/authentications/${made._3ds?.id ?? ''}`,
      headers: { authorization: `Bearer ${made._3ds?.token ?? ''}` },
      ...(payload !== undefined && { payload }),
    })
    return v.parse(AuthenticationSession, body.resource.data)
  }
  return {
    answer,
    charge: made,
    session: () => ask('GET'),
    tell: (told) => ask('POST', told),
    giveUp: () => ask('DELETE'),
    async now() {
      const { body } = await service.call({ url: `/v1/charges/${made._id}`, headers })
      return v.parse(ChargeResource, body.resource.data)
    },
  }
}

/** The fields of the form in a page, and where it leads. */
export function formIn(html: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? ''
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}

/** Opens the bank's page of a session's challenge. */
export async function openChallenge(service: TestService, { step }: AuthenticationSession): Promise<string> {
  if (step?.kind !== 'challenge') throw new Error(`no challenge but ${step?.kind ?? 'nothing'}`)
  return (await post(service, step.url, { creq: step.creq })).body
}
