import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TemplateResource } from '../../../../contract/api/checkouts/checkout-template.ts'
import { checkoutCalls, declined, sessionOf } from '../../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../../testing/checkout-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

const url = '/v1/checkouts/templates'
const put = (id: string, payload: object) =>
  service.call({ method: 'PUT', url: `${url}/${id}`, headers: calls.secret(), payload })
const templateOf = ({ body }: Answer) => v.parse(TemplateResource, body.resource.data)

const look = {
  texts: { title: 'Pay here' },
  styles: { button_color: '#123456' },
  theme: 'soft',
  language: 'fr',
}

describe('a checkout with templates', () => {
  it('shows its page what they say, in the words of the widget', async () => {
    const fields = [{ field: 'email', required: true }]
    const configuration = {
      template_id: await calls.makeTemplate('configuration', { schemes: ['visa'], fields }),
    }
    const customisation = { template_id: await calls.makeTemplate('customisation', look) }
    const customer = { email: 'a@b.example', phone: '+61 1' }
    const { token } = await calls.make({ configuration, customisation, customer })
    expect(sessionOf(await calls.session(token))).toMatchObject({
      configuration: { fields, card_icons: ['visa'], only_supported: true },
      customisation: look,
      customer: { email: 'a@b.example' },
    })
  })

  it('keeps what they said when it was made', async () => {
    const id = await calls.makeTemplate('customisation', look)
    const { token } = await calls.make({ customisation: { template_id: id } })
    await put(id, { version: 1, content: { theme: 'outline' } })
    expect(sessionOf(await calls.session(token)).customisation).toEqual(look)
    const later = await calls.make({ customisation: { template_id: id } })
    expect(sessionOf(await calls.session(later.token)).customisation).toEqual({ theme: 'outline' })
  })

  it.each([
    ['unknown', () => Promise.resolve('6b01799184f819f4cecbe1a7')],
    ['of the other type', () => calls.makeTemplate('customisation', {})],
    ['of a newer version than the workflow', () => calls.makeTemplate('configuration', {}, 2)],
  ])('%s: 422', async (_name, templateId) => {
    const answer = await calls.ask({
      version: 1,
      amount: '1',
      configuration: { template_id: await templateId() },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: 'template_not_found', details: [{ path: 'configuration.template_id' }] } },
    })
  })

  it('holds the funds where they say so, if the merchant may', async () => {
    const content = { capture: 'later' }
    const { token } = await calls.make({
      configuration: { template_id: await calls.makeTemplate('configuration', content) },
    })
    const [, charges] = await calls.chargesBeside(async () => calls.pay(token, await calls.tokenise(token)))
    expect(charges).toMatchObject([{ status: 'pending' }])
    const other = await service.makeMerchant({ preAuth: false })
    const headers = { 'x-user-secret-key': other.secretKey }
    const made = await service.call({
      method: 'POST',
      url: `${url}?type=configuration`,
      headers,
      payload: { version: 1, content },
    })
    const payload = { version: 1, amount: '1', configuration: { template_id: templateOf(made)._id } }
    const answer = await service.call({ method: 'POST', url: '/v1/checkouts/intent', headers, payload })
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'feature_not_enabled' } } })
  })

  it.each([
    ['another scheme', { schemes: ['visa'] }, {}, 'card_number'],
    ['a required field left out', { fields: [{ field: 'email', required: true }] }, {}, 'email'],
  ])('refuses a card by %s, whoever made its token', async (_name, content, card, path) => {
    const { token } = await calls.make({
      configuration: { template_id: await calls.makeTemplate('configuration', content) },
    })
    const [answer, charges] = await calls.chargesBeside(async () =>
      calls.pay(token, await service.tokenise(card)),
    )
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: [{ path }] } },
    })
    expect(charges).toEqual([])
  })

  it('pays by the gateway they name, and no other', async () => {
    const content = { gateway_id: service.merchant.gatewayId }
    const { token } = await calls.make({
      configuration: { template_id: await calls.makeTemplate('configuration', content) },
    })
    expect((await calls.pay(token, await service.tokenise({ gateway_id: 'not_configured' }))).status).toBe(
      400,
    )
    expect((await calls.pay(token, await calls.tokenise(token))).status).toBe(201)
  })
})

describe('version 2 beside version 1', () => {
  it('may say how many cards can fail; version 1 takes ten as ever', async () => {
    const template_id = await calls.makeTemplate('configuration', { most_tries: 1 }, 2)
    const { token } = await calls.make({ version: 2, configuration: { template_id } })
    const spare = await calls.tokenise(token)
    await calls.pay(token, await calls.tokenise(token, declined))
    expect((await calls.pay(token, spare)).body.error?.code).toBe('unfulfilled_condition')
    const first = await calls.make({
      version: 2,
      configuration: { template_id: await calls.makeTemplate('configuration', {}) },
    })
    await calls.pay(first.token, await calls.tokenise(first.token, declined))
    expect((await calls.pay(first.token, await calls.tokenise(first.token))).status).toBe(201)
  })

  it('may keep the reference to itself; version 1 shows it as ever', async () => {
    const shown = async (content: object, version: number) => {
      const customisation = { template_id: await calls.makeTemplate('customisation', content, version) }
      const made = await calls.make({ version: 2, reference: 'r', description: 'd', customisation })
      const { reference, description } = sessionOf(await calls.session(made.token))
      return [reference, description]
    }
    expect(await shown({ show_reference: false }, 2)).toEqual([null, null])
    expect(await shown({ show_reference: true }, 2)).toEqual(['r', 'd'])
    expect(await shown({}, 1)).toEqual(['r', 'd'])
  })
})
