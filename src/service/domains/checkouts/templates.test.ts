import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TemplateResource } from '../../../contract/api/checkouts/checkout-template.ts'
import { checkoutCalls, declined, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

const url = '/v1/checkouts/templates'
const post = (type: string, payload: object) =>
  service.call({ method: 'POST', url: `${url}?type=${type}`, headers: calls.secret(), payload })
const put = (id: string, payload: object) =>
  service.call({ method: 'PUT', url: `${url}/${id}`, headers: calls.secret(), payload })
const get = (rest: string) => service.call({ url: `${url}${rest}`, headers: calls.secret() })
const templateOf = ({ body }: Answer) => v.parse(TemplateResource, body.resource.data)

const look = {
  texts: { title: 'Pay here' },
  styles: { button_color: '#123456' },
  theme: 'soft',
  language: 'fr',
}

describe('a template', () => {
  it('is made, read, listed by its type, and replaced', async () => {
    const made = await post('customisation', { version: 1, label: 'Summer', content: look })
    expect(made.status).toBe(201)
    const template = templateOf(made)
    expect(template).toMatchObject({
      type: 'customisation',
      version: 1,
      label: 'Summer',
      content: look,
      revision: 1,
    })
    expect(templateOf(await get(`/${template._id}`))).toEqual(template)
    const replaced = templateOf(await put(template._id, { version: 2, content: { show_reference: false } }))
    expect(replaced).toMatchObject({
      version: 2,
      label: null,
      content: { show_reference: false },
      revision: 2,
    })
    await post('configuration', { version: 1, content: {} })
    const listed = v.parse(v.array(TemplateResource), (await get('?type=customisation')).body.resource.data)
    expect(listed.map(({ _id }) => _id)).toEqual([template._id])
  })

  it.each([
    ['styles', { styles: { text_color: 'red;}', button_color: 'red' } }, 'content.styles.text_color'],
    [
      'styles of elements',
      {
        element_styles: [
          { element: 'label', styles: { border: 'url(https://shop.example) 1px', color: 'red' } },
        ],
      },
      'content.element_styles.0.styles.border',
    ],
  ])('is refused in words where its %s have what no form takes', async (_, content, path) => {
    const message =
      'is not a CSS value that a form takes: it has none of ; { } \\ @ /* and no functions but those of colours and sizes'
    const { _id } = templateOf(await post('customisation', { version: 1, content: look }))
    for (const { status, body } of [
      await post('customisation', { version: 1, content }),
      await put(_id, { version: 2, content }),
    ]) {
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'validation_error', details: [{ path, message }] })
    }
  })

  it('is listed a page at a time, newest first', async () => {
    const made = [
      await calls.makeTemplate('configuration', {}),
      await calls.makeTemplate('configuration', {}),
    ]
    const first = await get('?type=configuration&limit=1')
    const second = await get(`?type=configuration&limit=1&cursor=${first.body.resource.next ?? ''}`)
    const ids = [first, second].map(
      ({ body }) => v.parse(v.array(TemplateResource), body.resource.data)[0]?._id,
    )
    expect(ids).toEqual(made.reverse())
  })

  it.each([
    ['no version', 'configuration', { content: {} }, 400, 'version'],
    ['version "1"', 'configuration', { version: '1', content: {} }, 400, 'version'],
    ['no content', 'configuration', { version: 1 }, 400, 'content'],
    ['an unknown type', 'looks', { version: 1, content: {} }, 400, 'type'],
    [
      'an unknown scheme',
      'configuration',
      { version: 1, content: { schemes: ['mir'] } },
      400,
      'content.schemes.0',
    ],
    ['no scheme at all', 'configuration', { version: 1, content: { schemes: [] } }, 400, 'content.schemes'],
    [
      'another capture',
      'configuration',
      { version: 1, content: { capture: 'never' } },
      400,
      'content.capture',
    ],
    [
      'a misspelt setting',
      'configuration',
      { version: 1, content: { scheme: ['visa'] } },
      400,
      'content.scheme',
    ],
    [
      'a field that is none',
      'configuration',
      { version: 1, content: { fields: [{ field: 'iban', required: true }] } },
      400,
      'content.fields.0.field',
    ],
    [
      'a gateway of nobody',
      'configuration',
      { version: 1, content: { gateway_id: '6b01799184f819f4cecbe1a7' } },
      400,
      'content.gateway_id',
    ],
    [
      'a word of version 2 in version 1',
      'configuration',
      { version: 1, content: { most_tries: 3 } },
      400,
      'content.most_tries',
    ],
    ['an unknown theme', 'customisation', { version: 1, content: { theme: 'neon' } }, 400, 'content.theme'],
    [
      'a card number',
      'customisation',
      { version: 1, content: { texts: { title: '5111111111111118' } } },
      400,
      'content.texts.title',
    ],
  ])('with %s is refused', async (_name, type, payload, status, path) => {
    const answer = await post(type, payload)
    expect(answer).toMatchObject({
      status,
      body: { error: { code: 'validation_error', details: [{ path }] } },
    })
  })

  it('of a version that does not exist is refused, naming those that do', async () => {
    const answer = await post('configuration', { version: 9, content: {} })
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'unknown_workflow_version' } } })
    expect(answer.body.error?.message).toContain('1, 2')
  })

  it('of another merchant is not there', async () => {
    const id = await calls.makeTemplate('configuration', {})
    const headers = { 'x-user-secret-key': (await service.makeMerchant()).secretKey }
    expect((await service.call({ url: `${url}/${id}`, headers })).status).toBe(404)
    const payload = { version: 1, content: {} }
    expect((await service.call({ method: 'PUT', url: `${url}/${id}`, headers, payload })).status).toBe(404)
  })
})

describe('the schema of a template', () => {
  it.each([
    ['configuration', 1, ['capture', 'fields', 'gateway_id', 'schemes']],
    ['configuration', 2, ['authentication', 'capture', 'fields', 'gateway_id', 'most_tries', 'schemes']],
    ['customisation', 1, ['element_styles', 'language', 'styles', 'texts', 'theme']],
    [
      'customisation',
      2,
      ['element_styles', 'language', 'layout', 'show_reference', 'styles', 'texts', 'theme'],
    ],
  ])('%s %i', async (type, version, names) => {
    const { status, body } = await get(`/schemas/${type}/${String(version)}`)
    expect(status).toBe(200)
    const schema = v.parse(
      v.looseObject({ properties: v.record(v.string(), v.unknown()) }),
      body.resource.data,
    )
    expect(Object.keys(schema.properties).sort()).toEqual(names)
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      additionalProperties: false,
    })
  })

  it.each([
    ['/schemas/configuration/3', 422],
    ['/schemas/configuration/one', 400],
    ['/schemas/looks/1', 400],
  ])('%s: %i', async (rest, status) => {
    expect((await get(rest)).status).toBe(status)
  })
})

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

  it('no session names the language of a region, which older releases would refuse', async () => {
    const id = await calls.makeTemplate('customisation', { theme: 'soft', language: 'pt-BR' })
    const { token } = await calls.make({ customisation: { template_id: id } })
    expect(sessionOf(await calls.session(token)).customisation).toEqual({ theme: 'soft' })
  })

  it('sessions have what older releases would refuse in a place that those do not read', async () => {
    const styles = { text_color: '#123', spacing: '8px' }
    const id = await calls.makeTemplate('customisation', { theme: 'soft', layout: 'line', styles }, 2)
    const { token } = await calls.make({ version: 2, customisation: { template_id: id } })
    expect(sessionOf(await calls.session(token))).toMatchObject({
      customisation: { theme: 'soft', styles: { text_color: '#123' } },
      customisation_since_1_3: { layout: 'line', styles: { spacing: '8px' } },
    })
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
