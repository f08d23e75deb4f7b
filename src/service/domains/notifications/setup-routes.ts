import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { SigningKeyRequest } from '../../../contract/dashboard/company/gateway.ts'
import type {
  GatewayArrival,
  GatewayNotifications,
  ListedArrival,
  MadePassword,
} from '../../../contract/dashboard/company/gateway.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import type { NotificationSetup } from '../gateways/gateway.ts'
import { countOpen, findArrival, findSilent } from './arrival.ts'
import type { Arrival } from './arrival.ts'
import {
  addSigningKey,
  endFormer,
  findNotifiedAccount,
  hasFormer,
  makePassword,
  NO_SECRETS,
} from './notification-secrets.ts'
import type { KeptSecrets, SecretsChangeDeps } from './notification-secrets.ts'
import { checkReach, questionFor } from './reach.ts'

/** What the routes need by which a merchant's people set notifications up. */
export interface SetupDeps extends Omit<SecretsChangeDeps, 'actor'> {
  /** Where gateways send notifications: the service's own address. */
  baseUrl: string
  /** The merchant's gateways as they are now. */
  gatewaysOf: (merchantId: string) => Promise<{ id: string; type: string }[]>
  /** How notifications are set up at a type of gateway; null if it sends none. */
  setupOf: (type: string) => NotificationSetup | null
  /** Has this process use changed secrets at once. */
  forget: (gatewayId: string) => Promise<unknown>
  /** Sends to the service's own address. */
  send: SendRequest
}

const resourceType = 'gateway_notifications'
const reading = { config: { permission: 'read', resourceType } } as const
const testing = { config: { permission: 'change', resourceType: 'reach_result' } } as const
const changing = { config: { permission: 'see_secrets', needsFreshPassword: true, resourceType } } as const
const PATH = '/api/gateways/:id/notifications'
const listing = { config: { permission: 'read', resourceType: 'gateway_arrival' } } as const
const Params = v.object({ id: Identifier })

/** A merchant's people set notifications up here, and see whether they arrive. */
export function addSetupRoutes(
  app: FastifyInstance,
  deps: SetupDeps,
  sessionOf: DashboardAccess['sessionOf'],
): void {
  app.get('/api/gateway_arrivals', listing, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'gateway_arrival', await listArrivals(deps, merchantId), null)
  })

  app.get(PATH, reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id, setup } = await notifying(deps, merchantId, request.params)
    return answer(reply, 200, resourceType, await stateOf(deps, merchantId, id, setup))
  })

  app.post(`${PATH}/test`, testing, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id, setup } = await notifying(deps, merchantId, request.params)
    const kept = await findNotifiedAccount(deps, id)
    const question = kept === null ? null : questionFor(kept.secrets)
    if (question === null)
      throw new ServiceError(
        'unfulfilled_condition',
        `There is nothing to test with yet: ${setup.hasPassword ? 'make the user and password' : 'enter the signing key'} first.`,
      )
    return answer(reply, 200, 'reach_result', await checkReach(deps.send, addressOf(deps, id), question))
  })
  addChangeRoutes(app, deps, sessionOf)
}

function addChangeRoutes(
  app: FastifyInstance,
  deps: SetupDeps,
  sessionOf: DashboardAccess['sessionOf'],
): void {
  app.post(`${PATH}/password`, changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id, setup } = await notifying(deps, session.merchantId, request.params)
    if (!setup.hasPassword)
      throw new ServiceError(
        'unfulfilled_condition',
        'This gateway sends no password: its signature is enough.',
      )
    const made = await makePassword({ ...deps, actor: actorOf(session) }, id)
    if (made === null) throw notFound('gateway')
    await deps.forget(id)
    const data: MadePassword = { url: addressOf(deps, id), ...made }
    return answer(reply, 201, resourceType, data)
  })

  app.put(`${PATH}/signing_key`, changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id, setup } = await notifying(deps, session.merchantId, request.params)
    const key = decode(SigningKeyRequest, request.body).signing_key.trim()
    const fault = setup.signingKey.faultOf(key)
    if (fault !== null) throw invalidField('signing_key', fault)
    if (!(await addSigningKey({ ...deps, actor: actorOf(session) }, id, key))) throw notFound('gateway')
    await deps.forget(id)
    return answer(reply, 200, resourceType, await stateOf(deps, session.merchantId, id, setup))
  })

  app.delete(`${PATH}/former`, changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id, setup } = await notifying(deps, session.merchantId, request.params)
    const kept = await findNotifiedAccount(deps, id)
    if (kept === null || !hasFormer(kept.secrets))
      throw new ServiceError('not_found', 'Nothing from before the last change is good any more.')
    await endFormer({ ...deps, actor: actorOf(session) }, id)
    await deps.forget(id)
    return answer(reply, 200, resourceType, await stateOf(deps, session.merchantId, id, setup))
  })
}

/** The merchant's gateway that a request names, if it sends notifications. */
async function notifying({ gatewaysOf, setupOf }: SetupDeps, merchantId: string, params: unknown) {
  const { id } = decode(Params, params)
  const type = (await gatewaysOf(merchantId)).find((gateway) => gateway.id === id)?.type
  const setup = type === undefined ? null : setupOf(type)
  if (setup === null) throw notFound('gateway that sends notifications')
  return { id, setup }
}

function addressOf({ baseUrl }: Pick<SetupDeps, 'baseUrl'>, gatewayId: string): string {
  return `${baseUrl}/gateways/${gatewayId}/notifications`
}

async function stateOf(
  deps: SetupDeps,
  merchantId: string,
  gatewayId: string,
  setup: NotificationSetup,
): Promise<GatewayNotifications> {
  const { database } = deps
  const [kept, arrival, open, silent] = await Promise.all([
    findNotifiedAccount(deps, gatewayId),
    findArrival(database, gatewayId),
    countOpen(database, merchantId, gatewayId),
    findSilent(database, merchantId, [gatewayId]),
  ])
  const isSilent = silent.length > 0
  return {
    url: addressOf(deps, gatewayId),
    arrival: arrivalOf({ setup, secrets: kept?.secrets ?? NO_SECRETS, arrival, isSilent }),
    ...toSecretsView(kept?.secrets),
    ...toArrivalView(arrival),
    waiting: open.waiting,
    unexplained: open.unexplained,
    not_understood: open.notUnderstood,
    silent_since: toText(silent[0]?.at),
  }
}

/** Whether notifications arrive, of each of a merchant's accounts that can send them. */
async function listArrivals(deps: SetupDeps, merchantId: string): Promise<ListedArrival[]> {
  const able = (await deps.gatewaysOf(merchantId)).flatMap(({ id, type }) => {
    const setup = deps.setupOf(type)
    return setup === null ? [] : [{ id, setup }]
  })
  const ids = able.map(({ id }) => id)
  const silent = new Set((await findSilent(deps.database, merchantId, ids)).map(({ id }) => id))
  return Promise.all(
    able.map(async ({ id, setup }) => {
      const [secrets, arrival] = await Promise.all([
        readableSecrets(deps, id),
        findArrival(deps.database, id),
      ])
      return { id, arrival: arrivalOf({ setup, secrets, arrival, isSilent: silent.has(id) }) }
    }),
  )
}

/** Null where they can't be opened: a list of all accounts shall not lack the others for that. */
async function readableSecrets(deps: SetupDeps, gatewayId: string): Promise<KeptSecrets | null> {
  try {
    return (await findNotifiedAccount(deps, gatewayId))?.secrets ?? NO_SECRETS
  } catch {
    return null
  }
}

interface ArrivalFacts {
  setup: NotificationSetup
  /** Null: they are there, and it is not known what they are. */
  secrets: KeptSecrets | null
  arrival: Arrival | null
  /** It took a payment more than a day ago, and has sent nothing since. */
  isSilent: boolean
}

function arrivalOf({ setup, secrets, arrival, isSilent }: ArrivalFacts): GatewayArrival {
  if (secrets !== null && !isComplete(setup, secrets)) return 'missing'
  const { newestHeardAt = null, refused = null } = arrival ?? {}
  if (newestHeardAt === null) return refused === null ? 'waiting' : 'refused'
  return isSilent ? 'silent' : 'arrives'
}

const isComplete = ({ hasPassword }: NotificationSetup, { signingKeys, password }: KeptSecrets) =>
  signingKeys.length > 0 && !(hasPassword && password === '')

function toSecretsView(secrets: KeptSecrets = NO_SECRETS) {
  const { user, password, signingKeys } = secrets
  return {
    user: password === '' ? null : user,
    has_signing_key: signingKeys.length > 0,
    has_former: hasFormer(secrets),
  }
}

function toArrivalView(arrival: Awaited<ReturnType<typeof findArrival>>) {
  const { changedAt, heardAt, newestHeardAt, refused = null } = arrival ?? {}
  return {
    changed_at: toText(changedAt),
    heard_at: toText(heardAt),
    newest_heard_at: toText(newestHeardAt),
    refused: refused === null ? null : { ...refused, at: refused.at.toISOString() },
  }
}

const toText = (at: Date | null | undefined): string | null => at?.toISOString() ?? null
