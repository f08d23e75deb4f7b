import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { GatewayChange, GatewayRequest } from '../../../../contract/dashboard/company/gateway.ts'
import type { GatewayView } from '../../../../contract/dashboard/company/gateway.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { GatewaysForPeople } from './gateways-for-people.ts'
import type { ListedGateway, MerchantsForPeople } from './merchants-for-people.ts'

interface Parts {
  merchants: MerchantsForPeople
  gateways: GatewaysForPeople
  sessionOf: DashboardAccess['sessionOf']
}

const GatewayParams = v.object({ id: Identifier })

const TYPE = 'gateway'
const reading = { config: { permission: 'read', resourceType: TYPE } } as const
const testing = { config: { permission: 'change', resourceType: 'gateway_test' } } as const
/** Where money goes is as much of a secret as a key. */
const changing = {
  config: { permission: 'see_secrets', needsFreshPassword: true, resourceType: TYPE },
} as const

/** A merchant's accounts at gateways. What was entered for one is written and never read. */
export function addGatewayRoutes(app: FastifyInstance, { merchants, gateways, sessionOf }: Parts): void {
  const gatewayOf = async (merchantId: string, id: string) => {
    const found = (await merchants.gateways(merchantId)).find((gateway) => gateway.id === id)
    if (found === undefined) throw new ServiceError('not_found', 'There is no gateway with this id.')
    return found
  }

  app.get('/api/gateways', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, TYPE, (await merchants.gateways(merchantId)).map(toGatewayView), null)
  })

  app.post('/api/gateways', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { name, type, is_default: isDefault, credentials } = decode(GatewayRequest, request.body)
    const parsed = gateways.enteredCredentials(type, credentials)
    if ('message' in parsed) throw notValid(parsed)
    const gateway = { name, type, isDefault, credentials: parsed.credentials }
    const id = await merchants.inNameOf(actorOf(session)).addGateway(session.merchantId, gateway)
    return answer(reply, 201, TYPE, toGatewayView(await gatewayOf(session.merchantId, id ?? '')))
  })

  app.patch('/api/gateways/:id', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    decode(GatewayChange, request.body)
    const gateway = await gatewayOf(session.merchantId, id)
    await merchants.inNameOf(actorOf(session)).makeDefault(session.merchantId, gateway.id)
    return answer(reply, 200, TYPE, toGatewayView(await gatewayOf(session.merchantId, id)))
  })

  app.post('/api/gateways/:id/test', testing, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(GatewayParams, request.params)
    const { type } = await gatewayOf(merchantId, id)
    const tested = await gateways.check({ merchantId, gatewayId: id, gatewayType: type })
    return answer(reply, 200, 'gateway_test', tested)
  })
}

function notValid({ path, message }: { path: string; message: string }): ServiceError {
  const details = [{ path: `credentials.${path}`, message }]
  return new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details,
  })
}

function toGatewayView({ id, name, type, isDefault, hasCredentials }: ListedGateway): GatewayView {
  return { id, name, type, is_default: isDefault, has_credentials: hasCredentials }
}
