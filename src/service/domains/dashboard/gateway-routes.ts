import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import {
  CredentialsChange,
  GatewayChange,
  GatewayRequest,
} from '../../../contract/dashboard/company/gateway.ts'
import type {
  AddedGateway,
  GatewayDetail,
  GatewayType,
  GatewayView,
} from '../../../contract/dashboard/company/gateway.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { DashboardDeps, ListedGateway, ListedGatewayType } from './deps.ts'

type GatewayDeps = Pick<DashboardDeps, 'merchants' | 'gateways'>
/** Where money goes needs as much care as a key. */
const changing = {
  config: { permission: 'see_secrets', needsFreshPassword: true, resourceType: 'gateway' },
} as const
const GatewayParams = v.object({ id: Identifier })

/** A merchant's accounts at gateways. Keys can be entered, and never read. */
export function addGatewayRoutes(
  app: FastifyInstance,
  deps: GatewayDeps,
  sessionOf: DashboardAccess['sessionOf'],
): void {
  const { merchants, gateways } = deps
  const reading = { config: { permission: 'read', resourceType: 'gateway' } } as const

  app.get('/api/gateways', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'gateway', (await merchants.gateways(merchantId)).map(toGatewayView), null)
  })

  app.get('/api/gateway_types', reading, (_, reply) =>
    answer(reply, 200, 'gateway_type', gateways.types().map(toGatewayType), null),
  )

  app.get('/api/gateways/:id', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    return answer(reply, 200, 'gateway', await detailOf(deps, merchantId, id))
  })

  app.post('/api/gateways', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { name, type, is_default: isDefault, credentials } = decode(GatewayRequest, request.body)
    const entered = gateways.enteredCredentials(type, credentials)
    if ('message' in entered)
      throw invalidField(entered.path === 'type' ? 'type' : `credentials.${entered.path}`, entered.message)
    const checked = await gateways.checkEntered(type, entered.credentials)
    if (checked.kind === 'refused') throw refused(checked, 'credentials.')
    const gateway = { name, type, isDefault, credentials: entered.credentials }
    const id = await merchants.inNameOf(actorOf(session)).addGateway(session.merchantId, gateway)
    const view = toGatewayView(await gatewayOf(deps, session.merchantId, id ?? ''))
    const data: AddedGateway = { ...view, unchecked: checked.kind === 'works' ? null : checked.message }
    return answer(reply, 201, 'gateway', data)
  })

  addChangeRoutes(app, deps, sessionOf)
}

function addChangeRoutes(
  app: FastifyInstance,
  deps: GatewayDeps,
  sessionOf: DashboardAccess['sessionOf'],
): void {
  const { merchants, gateways } = deps
  const testing = { config: { permission: 'change', resourceType: 'gateway_test' } } as const

  app.patch('/api/gateways/:id', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    const wanted = decode(GatewayChange, request.body)
    const gateway = await gatewayOf(deps, session.merchantId, id)
    const changes = merchants.inNameOf(actorOf(session))
    await ('is_default' in wanted
      ? changes.makeDefault(session.merchantId, gateway.id)
      : changes.changeAuthentication(session.merchantId, gateway.id, wanted.authentication))
    return answer(reply, 200, 'gateway', toGatewayView(await gatewayOf(deps, session.merchantId, id)))
  })

  app.put('/api/gateways/:id/credentials', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    const next = decode(CredentialsChange, request.body)
    const { type } = await gatewayOf(deps, session.merchantId, id)
    await replaceKey(deps, session, { id, type }, next)
    return answer(reply, 200, 'gateway', await detailOf(deps, session.merchantId, id))
  })

  app.post('/api/gateways/:id/test', testing, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    const { type } = await gatewayOf(deps, merchantId, id)
    const tested = await gateways.check({ merchantId, gatewayId: id, gatewayType: type })
    return answer(reply, 200, 'gateway_test', tested)
  })
}

/**
 * Puts another key of the same account in place, once the gateway takes it: until then payments go on with the one before. Running services
 * follow within five seconds.
 */
async function replaceKey(
  { merchants, gateways }: GatewayDeps,
  session: Parameters<typeof actorOf>[0] & { merchantId: string },
  { id, type }: { id: string; type: string },
  next: v.InferOutput<typeof CredentialsChange>,
): Promise<void> {
  const { merchantId } = session
  const kept = await merchants.keptCredentials(merchantId, id)
  if (kept === null) throw new ServiceError('unfulfilled_condition', 'This gateway needs no account.')
  const before = await kept.open().catch(() => null)
  const entered = gateways.replacedKey(type, before, next)
  if ('message' in entered && entered.path === '')
    throw new ServiceError(
      'unfulfilled_condition',
      'What was entered for this gateway can’t be read here, or an operator is changing it. Try again; if it stays so, the operator enters the account by svc gateways change.',
    )
  if ('message' in entered) throw invalidField(entered.path, entered.message)
  const checked = await gateways.checkEntered(type, entered.credentials)
  if (checked.kind === 'refused') throw refused(checked, '')
  if (checked.kind === 'unreachable')
    throw new ServiceError('gateway_unavailable', `${checked.message} The key was not changed. Try again.`)
  const changes = merchants.inNameOf(actorOf(session))
  if ((await changes.changeCredentials(merchantId, id, kept.sealed, entered.credentials)) === null)
    throw new ServiceError(
      'unfulfilled_condition',
      'Somebody else has changed this account meanwhile. Look at it, and try again.',
    )
}

/** What a gateway does not take, at the field that is at fault where that is known. */
function refused({ path, message }: { path: string | null; message: string }, prefix: string): ServiceError {
  return path === null
    ? new ServiceError('unfulfilled_condition', message)
    : invalidField(prefix + path, message)
}

async function gatewayOf({ merchants }: GatewayDeps, merchantId: string, id: string): Promise<ListedGateway> {
  const found = (await merchants.gateways(merchantId)).find((gateway) => gateway.id === id)
  if (found === undefined) throw notFound('gateway')
  return found
}

async function detailOf(deps: GatewayDeps, merchantId: string, id: string): Promise<GatewayDetail> {
  const view = toGatewayView(await gatewayOf(deps, merchantId, id))
  const kept = await deps.merchants.keptCredentials(merchantId, id)
  const account = kept === null ? null : await kept.open().catch(() => null)
  return { ...view, account: deps.gateways.shownAccount(account) }
}

function toGatewayView({ isDefault, hasCredentials, ...told }: ListedGateway): GatewayView {
  const { id, name, type, authentication } = told
  return { id, name, type, is_default: isDefault, has_credentials: hasCredentials, authentication }
}

function toGatewayType({ servers, can, setup, ...told }: ListedGatewayType): GatewayType {
  const { type, name, words, finding, beforehand } = told
  return {
    ...{ type, name, words, finding, beforehand, usual_url: servers.usual },
    can: {
      partial_capture: can.partialCapture,
      look_up: can.lookUp,
      notifications: can.notifications,
      disputes: can.disputes,
      authentication: can.authentication,
    },
    setup: setup === null ? null : toSetup(setup),
  }
}

function toSetup({
  hasPassword,
  signingKey: { name, finding },
  steps,
  events,
  test,
}: NonNullable<ListedGatewayType['setup']>): GatewayType['setup'] {
  const signing_key = { name, finding }
  return { has_password: hasPassword, signing_key, steps: [...steps], events: [...events], test }
}
