import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  CaptureRequest,
  ChargeQuery,
  ChargeRequest,
  RefundRequest,
} from '../../../contract/api/charges/charge-request.ts'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { keyIn } from '../../platform/http/callers/authenticate.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { idempotentRequestOf } from '../../platform/idempotency.ts'
import type { Caller } from './caller.ts'
import { ChargeParams, chargeOperations } from './charge-operations.ts'
import type { Charges } from './charges.ts'
import { toChargeResource } from './charge-resource.ts'
import type { Movement } from './movements/record-outcome.ts'
import type { OncePerRequest } from './movements/repeat-request.ts'
import { outcomeUnknown, refusalOf, toServiceError } from './refusal.ts'

interface Parts {
  charges: Charges
  oncePerRequest: OncePerRequest
  authenticate: Authenticate<Caller['merchant'] & { userId?: string }>
}

/** Whether the money is taken at once, which the query or the body may say; throws `validation_error` where they differ. */
function isCapturedAtOnce(inQuery: boolean | undefined, inBody: boolean | undefined): boolean {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
    const details = [{ path: 'capture', message: 'is one thing in the query and another in the body' }]
    throw new ServiceError('validation_error', 'Send capture once.', { details })
  }
  return inQuery ?? inBody ?? true
}

async function readSale(charges: Charges, request: FastifyRequest) {
  const query = decode(ChargeQuery, request.query)
  const body = decodeBody(ChargeRequest, request.body, ['token'])
  const capture = isCapturedAtOnce(query.capture, body.capture)
  return { body, capture, token: await charges.findToken(body.token) }
}

async function readCharge(charges: Charges, { params }: FastifyRequest) {
  return { charge: await charges.find(decode(ChargeParams, params).id) }
}

/** The routes that move money (contract §4). */
export function addMovementRoutes(
  app: FastifyInstance,
  { charges, oncePerRequest, authenticate }: Parts,
): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'charge', operation } })
  const callerOf = async (request: FastifyRequest): Promise<Caller> => {
    const merchant = await authenticate(request, 'secret')
    return {
      merchant,
      userId: merchant.userId ?? null,
      sourceIp: request.sender.address,
      idempotentRequest: idempotentRequestOf(request, merchant.id),
    }
  }
  /** What a request is about is read along with the key that it bears, in one round trip; what the key says counts first. */
  const withCaller = async <Subject>(
    request: FastifyRequest,
    read: (charges: Charges, request: FastifyRequest) => Promise<Subject>,
  ) => {
    if (keyIn(request, 'secret') === null)
      return { caller: await callerOf(request), ...(await read(charges, request)) }
    const reading = read(charges, request)
    reading.catch(() => undefined)
    return { caller: await callerOf(request), ...(await reading) }
  }
  const move = async (
    reply: FastifyReply,
    status: number,
    caller: Caller,
    perform: () => Promise<Movement>,
  ) => {
    const { movement, isReplay } = await oncePerRequest(caller.idempotentRequest, perform)
    if (isReplay) void reply.header('idempotent-replayed', 'true')
    return answer(reply, status, 'charge', outcomeOf(movement))
  }

  app.post('/v1/charges', config(chargeOperations.sell), async (request, reply) => {
    const { caller, body, capture, token } = await withCaller(request, readSale)
    return move(reply, 201, caller, () => charges.sell(caller, body, capture, { alreadyRead: token }))
  })

  app.post('/v1/charges/:id/capture', config(chargeOperations.capture), async (request, reply) => {
    const { caller, charge } = await withCaller(request, readCharge)
    const { amount } = decodeBody(CaptureRequest, bodyOf(request))
    return move(reply, 201, caller, () => charges.capture(caller, charge, amount))
  })

  app.delete('/v1/charges/:id/capture', config(chargeOperations.cancel), async (request, reply) => {
    const { caller, charge } = await withCaller(request, readCharge)
    return move(reply, 200, caller, () => charges.cancel(caller, charge))
  })

  app.post('/v1/charges/:id/refunds', config(chargeOperations.refund), async (request, reply) => {
    const { caller, charge } = await withCaller(request, readCharge)
    const body = decodeBody(RefundRequest, bodyOf(request))
    return move(reply, 201, caller, () => charges.refund(caller, charge, body))
  })
}

/** No body means the whole amount; `null` is a body, and a wrong one. */
function bodyOf({ body }: FastifyRequest): unknown {
  return body === undefined ? {} : body
}

/** The charge after a successful movement; throws the error that answers a failed one. */
function outcomeOf({ charge, attempt }: Movement): ChargeResource {
  const resource = toChargeResource(charge)
  if (attempt.outcome === 'open') throw outcomeUnknown(attempt.type, resource)
  const refusal = refusalOf(attempt)
  if (refusal !== null) throw toServiceError(refusal, resource)
  return resource
}
