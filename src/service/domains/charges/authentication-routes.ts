import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  AuthenticationSession,
  ToldByPage,
  BankReturn,
} from '../../../contract/api/charges/authentication.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { BANK_RETURNED } from '../../../contract/page/authentication-setup.ts'
import type { RouteAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { errorsShownBy } from '../../platform/http/answers/error-answer.ts'
import { rememberedForRequest } from '../../platform/http/callers/authenticate.ts'
import { pageCredentialsOf } from '../../platform/http/callers/page-credentials.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { formOf } from '../../platform/http/requests/bodies.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { carryOn, giveUp, hearBank, isTokenOf, sessionOf } from './authentications.ts'
import type { AttemptDeps } from './settle.ts'

const Params = v.object({ id: Identifier })
const BODY_LIMIT_BYTES = 1024

/** What the page that shows a bank's step asks and tells, by the token of its authentication alone (contract §4.3). */
export function addAuthenticationRoutes(
  app: FastifyInstance,
  deps: AttemptDeps,
  { frameAccess, countWrongKey }: Pick<RouteAccess, 'frameAccess' | 'countWrongKey'>,
): void {
  const { onRequest } = frameAccess
  const idOf = rememberedForRequest(async (request: FastifyRequest) => {
    const { id } = decode(Params, request.params)
    if (await isTokenOf(deps, id, pageCredentialsOf(request).token ?? '')) return id
    await countWrongKey(request)
    throw new ServiceError(
      'unauthorized',
      'The token is not that of this authentication. Take it from `_3ds`.',
    )
  })
  const preParsing = async (request: FastifyRequest) => {
    await idOf(request)
  }
  const config = (operation: Operation) => ({ resourceType: 'authentication', operation })
  const show = async (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, 200, 'authentication', await sessionOf(deps, await idOf(request)))

  app.get(PATH, { config: config(operations.get), onRequest, preParsing }, show)

  app.post(
    PATH,
    { config: config(operations.tell), onRequest, preParsing, bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const { step_number: stepNumber, ...told } = decodeBody(ToldByPage, request.body)
      await carryOn(deps, { id: await idOf(request), stepNumber }, told)
      return show(request, reply)
    },
  )

  app.delete(PATH, { config: config(operations.giveUp), onRequest, preParsing }, async (request, reply) => {
    await giveUp(deps, await idOf(request))
    return show(request, reply)
  })

  addReturnRoutes(app, deps)

  frameAccess.addPreflight(app, PATH, {
    method: 'GET, POST, DELETE',
    headers: 'content-type, authorization',
  })
}

/** Where the bank's pages send the browser back to, inside the frame of its step. What they send is passed on, and never shown. */
function addReturnRoutes(app: FastifyInstance, deps: AttemptDeps): void {
  const hear = async (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const { id } = decode(Params, request.params)
    await hearBank(deps, id, decode(BankReturn, given))
    return leadBack(reply)
  }
  const errorHandler = errorsShownBy(leadBack)
  app.get(RETURN_PATH, { config: { operation: operations.back }, errorHandler }, (request, reply) =>
    hear(request, reply, request.query),
  )
  app.post(
    RETURN_PATH,
    {
      config: { takesForm: true, operation: operations.backByForm },
      bodyLimit: RETURN_LIMIT_BYTES,
      errorHandler,
    },
    (request, reply) => hear(request, reply, Object.fromEntries(formOf(request))),
  )
}

/** The answer to any return, a refused one too: it has our own document ask how it ended, and tell the card holder. */
function leadBack(reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'content-security-policy': RETURN_POLICY, 'cache-control': 'no-store' })
    .type(PAGE)
    .send(RETURN_PAGE)
}

const RETURN_PATH = '/3ds/:id/return'
const RETURN_LIMIT_BYTES = 32 * 1024
/** Tells our own document around it that it should ask now. */
const RETURN_SCRIPT = `parent.postMessage('${BANK_RETURNED}',location.origin)`
/** In the dark it is no white flash. */
const RETURN_PAGE = `<!doctype html><meta name="color-scheme" content="light dark"><title>.</title><script>${RETURN_SCRIPT}</script>`
const RETURN_POLICY = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(RETURN_SCRIPT).digest('base64')}'`

const PATH = '/v1/authentications/:id'

const authenticationResource: DescribedResource = {
  name: 'Authentication',
  schema: AuthenticationSession,
  words: {
    step: 'What the page shows now; null while the answer is on its way, and after the end.',
    step_number: 'Which step it is, from 0.',
    succeeded: 'Whether the money was taken or is held; null before.',
    amount: 'In units of the currency.',
  },
  example: {
    id: '6b01799184f819f4cecbe1b2',
    status: 'pending',
    step: {
      kind: 'challenge',
      url: 'https://acs.bank.example/challenge',
      creq: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IuKApiJ9',
    },
    step_number: 1,
    expires_at: '2026-11-21T10:15:00.000Z',
    succeeded: null,
    amount: 10,
    currency: 'AUD',
    card_scheme: 'mastercard',
    card_number_last4: '1118',
  },
}

const one = {
  group: '3-D Secure',
  key: 'authentication',
  params: { schema: Params, words: { id: 'The `id` of a charge’s `_3ds`.' } },
  answers: [{ status: 200, words: 'The authentication as it is now.', resource: authenticationResource }],
  errors: ['not_found'],
} as const

const PAGE = 'text/html; charset=utf-8'
const back = {
  ...one,
  key: 'none',
  isLastWord: true,
  answers: [{ status: 200, words: 'A page that tells the one around it to ask.', media: PAGE }],
  errorMedia: PAGE,
} as const

/** The routes as the OpenAPI document describes them. */
const operations = {
  get: { ...one, id: 'getAuthentication', summary: 'Read what the bank asks' },
  tell: {
    ...one,
    id: 'tellAuthentication',
    summary: 'Go on after a step',
    description: 'Nothing that is told is believed: the gateway knows the outcome.',
    body: { schema: ToldByPage, example: { kind: 'method', step_number: 0, completed: true } },
  },
  giveUp: {
    ...one,
    id: 'giveUpAuthentication',
    summary: 'End it without an answer',
    description: 'The charge is then `not_authenticated`, unless the bank has answered already.',
  },
  back: { ...back, id: 'returnFromBank', summary: 'Where a bank’s page sends the browser back to' },
  backByForm: {
    ...back,
    id: 'returnFromBankByForm',
    summary: 'The same by a form',
    body: { schema: BankReturn, isForm: true, example: { cres: 'eyJhY3NUcmFuc0lEIjoi4oCmIn0' } },
  },
} satisfies Record<string, Operation>
