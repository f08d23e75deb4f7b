import * as v from 'valibot'
import { testCard } from '../src/service/testing/test-card.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { makeFixtures } from './target.ts'
import type { Fixtures, Hostile, Target } from './target.ts'

const Json = v.record(v.string(), v.unknown())
const Parameter = v.object({ name: v.string(), in: v.picklist(['path', 'query', 'header']) })
const Described = v.object({
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.array(Parameter),
  requestBody: v.optional(
    v.object({
      content: v.object({
        'application/json': v.optional(v.object({ schema: v.object({ $ref: v.string() }), example: Json })),
      }),
    }),
  ),
})
const Document = v.object({
  paths: v.record(v.string(), v.record(v.string(), Described)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
})

/** A route as the service describes it, which is how an attacker reads it too. */
export interface AttackedRoute {
  method: string
  /** The path, with the names of its variable parts in braces. */
  path: string
  /** The kind of key it asks for; null where it asks for none. */
  key: string | null
  queryNames: readonly string[]
  /** A valid body, except for what has to be made first: a token. */
  body: Readonly<Record<string, unknown>> | null
  schema: unknown
}

/** Every route, read from the OpenAPI document, so that a new route is attacked without a change here. */
export async function routesOf({ send, service }: Target): Promise<AttackedRoute[]> {
  const { text } = await send({ method: 'GET', path: '/openapi.json' })
  const { paths, components } = v.parse(Document, JSON.parse(text))
  const schemaOf = (ref = '') => components.schemas[ref.replace('#/components/schemas/', '')] ?? null
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security, parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      key: security.flatMap((one) => Object.keys(one))[0] ?? null,
      queryNames: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      body: requestBody?.content['application/json']?.example ?? null,
      schema: schemaOf(requestBody?.content['application/json']?.schema.$ref),
    })),
  )
  return [...described, ...documentRoutes(service)]
}

/** Each route with fixtures that nothing has spoiled: they are made anew after each that may change something. */
export async function* withFixtures(
  target: Target,
  routes: readonly AttackedRoute[],
): AsyncGenerator<{ route: AttackedRoute; fixtures: Fixtures }> {
  let fixtures: Fixtures | null = null
  for (const route of routes) {
    fixtures ??= await makeFixtures(target.service)
    yield { route, fixtures }
    if (route.method === 'GET') continue
    await removeWebhook(target, fixtures.webhookId)
    fixtures = null
  }
}

/** A merchant may have few webhooks, so each one that was made is removed again. */
export async function removeWebhook(target: Target, id: string): Promise<void> {
  const headers = { 'x-user-secret-key': target.service.merchant.secretKey }
  await target.send({ method: 'DELETE', path: `/v1/webhooks/${id}`, headers })
}

/** The SDK's files and documents: they are no part of the API, but anyone may ask for them. */
function documentRoutes({ routes }: TestService): AttackedRoute[] {
  const documents = routes.filter(({ operation }) => operation === undefined)
  const queryNames = ['public_key', 'gateway_id', 'intent_id']
  return documents.map(({ method, path }) => ({
    method,
    path,
    key: null,
    queryNames,
    body: null,
    schema: null,
  }))
}

/** The header with the key that a route asks for. */
function keyFor(
  { service }: Target,
  { key }: AttackedRoute,
  { checkoutToken, accessToken, authentication }: Fixtures,
): Record<string, string> {
  if (key === 'secret') return { 'x-user-secret-key': service.merchant.secretKey }
  if (key === 'public') return { 'x-user-public-key': service.merchant.publicKey }
  if (key === 'authentication') return { authorization: `Bearer ${authentication.token}` }
  if (key === 'oauth') return { authorization: `Bearer ${accessToken}` }
  return key === 'checkout' ? { authorization: `Bearer ${checkoutToken}` } : {}
}

/** The path of a route, with ids that exist. */
export function pathOf({ path }: AttackedRoute, fixtures: Fixtures): string {
  const ids = [
    ['/templates/', fixtures.templateId],
    ['/webhooks/', fixtures.webhookId],
    ['/events/', fixtures.eventId],
    ['/checkouts/', fixtures.checkoutId],
    ['/disputes/', fixtures.disputeId],
    ['/authentications/', fixtures.authentication.id],
    ['/3ds/', fixtures.authentication.id],
  ] as const
  const id = ids.find(([part]) => path.includes(part))?.[1] ?? fixtures.chargeId
  return path
    .replace('{document_id}', fixtures.documentId)
    .replace('{id}', id)
    .replace('{event_id}', fixtures.eventId)
    .replace('{type}', 'configuration')
    .replace('{version}', '1')
    .replace('{release}', 'latest')
    .replace('*', 'latest/widget.mjs')
}

/** What a route's query has to hold. */
export function queryOf({ method, path }: AttackedRoute): string {
  return path.endsWith('/templates')
    ? '?type=configuration'
    : method === 'POST' && path === '/v1/charges'
      ? '?capture=false'
      : ''
}

/** A body that the service takes, with a new card token where it needs one. */
export async function bodyOf(
  { service }: Target,
  { body, path }: AttackedRoute,
): Promise<Record<string, unknown>> {
  if (body === null) return {}
  if (path.endsWith('/tokens')) return { ...testCard }
  if (path === '/v1/charges') return { ...body, token: await service.tokenise() }
  if (path.endsWith('/payments')) return { payment_source: await service.tokenise() }
  return { ...body }
}

/** A request that the service takes, to be made wrong in one place. */
export async function rightRequest(
  target: Target,
  route: AttackedRoute,
  fixtures: Fixtures,
): Promise<Hostile> {
  const headers = keyFor(target, route, fixtures)
  const path = pathOf(route, fixtures) + queryOf(route)
  if (route.body === null) return { method: route.method, path, headers }
  const body = JSON.stringify(await bodyOf(target, route))
  return { method: route.method, path, headers: { ...headers, 'content-type': 'application/json' }, body }
}
