import type { Operation } from '../../../platform/http/operation.ts'
import type { DescribedRoute } from '../../openapi/document.ts'
import { isJson, jsonSchemaOf } from '../../openapi/json-schema.ts'
import { literal } from './node-example.ts'

/** Where each operation is in the client for Node, `@svc/server`; those that are no business of a merchant's server are not there. */
export const CLIENT_CALLS: Readonly<Record<string, string>> = {
  createCharge: 'charges.create',
  captureCharge: 'charges.capture',
  cancelCharge: 'charges.cancel',
  refundCharge: 'charges.refund',
  getCharge: 'charges.retrieve',
  listCharges: 'charges.list',
  createCheckout: 'checkouts.create',
  cancelCheckout: 'checkouts.cancel',
  getCheckout: 'checkouts.retrieve',
  listCheckouts: 'checkouts.list',
  listCheckoutVersions: 'checkouts.versions',
  createCheckoutTemplate: 'checkoutTemplates.create',
  replaceCheckoutTemplate: 'checkoutTemplates.replace',
  getCheckoutTemplate: 'checkoutTemplates.retrieve',
  listCheckoutTemplates: 'checkoutTemplates.list',
  createWebhook: 'webhooks.create',
  updateWebhook: 'webhooks.update',
  rollWebhookSecret: 'webhooks.rollSecret',
  deleteWebhook: 'webhooks.delete',
  getWebhook: 'webhooks.retrieve',
  listWebhooks: 'webhooks.list',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  resendWebhookDelivery: 'webhooks.resend',
  listEvents: 'events.list',
  getEvent: 'events.retrieve',
  createAgreement: 'agreements.create',
  validateAgreement: 'agreements.validate',
  amendAgreement: 'agreements.amend',
  changeAgreementStatus: 'agreements.changeStatus',
  getAgreement: 'agreements.retrieve',
  listAgreements: 'agreements.list',
  createAgreementPayment: 'agreements.pay',
  getAgreementPayment: 'agreements.retrievePayment',
  listAgreementPayments: 'agreements.payments',
}

/** The example of an operation as a call of the client; null where the client has none. */
export function clientExample({ path, operation }: DescribedRoute, baseUrl: string): string | null {
  const call = CLIENT_CALLS[operation.id]
  if (call === undefined) return null
  const given = argumentsOf(path, operation).map((one) => literal(one, ''))
  const isPage = operation.answers[0]?.isPage === true
  return [
    "import { SvcClient } from '@svc/server'",
    '',
    'const svc = new SvcClient({',
    `  baseUrl: '${baseUrl}',`,
    `  ${CREDENTIALS[operation.key === 'oauth' ? 'oauth' : 'secret']},`,
    '})',
    `const answer = await svc.${call}(${given.join(', ')})${isPage ? '.page()' : ''}`,
    'console.log(answer)',
  ].join('\n')
}

const CREDENTIALS = {
  secret: 'secretKey: process.env.SECRET_KEY',
  oauth: 'oauth: { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }',
}

/** What is in the path, then in the query or the body, then the options. */
function argumentsOf(path: string, { id, query, body, isRepeatable }: Operation): unknown[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `$${name.toUpperCase()}`)
  const options = isRepeatable === true ? [{ idempotencyKey: '$KEY' }] : []
  const filter = query?.example
  if (body === undefined) return [...inPath, ...(filter === undefined ? [] : [filter]), ...options]
  const { properties } = jsonSchemaOf({ name: id, ...body })
  const given = Object.entries(filter ?? {})
  // What the body takes as well stands there, as what it is: `capture`, which in a query is a text.
  const isOfBody = ([name]: [string, string]) => isJson(properties) && name in properties
  const more = given.filter(isOfBody).map(([name, text]): [string, unknown] => [name, JSON.parse(text)])
  const first = given.filter((one) => !isOfBody(one)).map(([, text]) => text)
  const fields = isJson(body.example) ? { ...body.example, ...Object.fromEntries(more) } : body.example
  return [...inPath, ...first, fields, ...options]
}
