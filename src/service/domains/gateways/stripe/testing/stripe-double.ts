import { strikesBefore } from '../../testing/double-faults.ts'
import type { DoubleAnswer, DoubleErrors, DoubleFault } from '../../testing/double-faults.ts'
import { startDoubleServer } from '../../testing/double-server.ts'
import type { DoubleServer, ReceivedRequest } from '../../testing/double-server.ts'
import { API_VERSION } from '../stripe-api.ts'
import { createDisputeLedger } from './dispute-ledger.ts'
import type { DisputeLedger } from './dispute-ledger.ts'
import { createStripeLedger } from './stripe-ledger.ts'
import type { StripeLedger } from './stripe-ledger.ts'
import { accountLike, faultsOfAnswer, faultsOfRequest, intentLike } from './stripe-shapes.ts'

interface StripeRequestSeen {
  method: string
  path: string
  key: string
  params: unknown
}

/**
 * Stripe's API as far as the adapter uses it: books of its own, keys that it remembers with its own errors among them, faults on demand. What
 * it is sent is checked by the parameters that Stripe has, and what it answers by Stripe's fixtures.
 */
export interface StripeDouble extends Pick<DoubleServer, 'breakNext' | 'heal'> {
  baseUrl: string
  ledger: StripeLedger
  disputes: DisputeLedger
  /** Every request that reached it, oldest first. */
  requests: StripeRequestSeen[]
  /** Forgets all keys, as Stripe does after a day. */
  forgetKeys: () => void
  /** Rejects when something was sent or answered that is not as Stripe has it. */
  close: () => Promise<void>
}

interface Behaviour {
  secretKey: string
  /** The account whose key that is. */
  accountId?: string
  /** Whether the key may write disputes and files. */
  mayAnswerDisputes?: boolean
}

const errorOf = (status: number, type: string, code: string, message: string): DoubleAnswer => ({
  status,
  body: { error: { type, ...(code !== '' && { code }), message } },
})
const ERRORS: DoubleErrors = {
  failure: errorOf(500, 'api_error', '', 'An unknown error occurred'),
  'too many requests': errorOf(429, 'invalid_request_error', 'rate_limit', 'Request rate limit exceeded.'),
  'key in use': errorOf(
    409,
    'idempotency_error',
    'idempotency_key_in_use',
    'There is currently another in-progress request using this Idempotent Key.',
  ),
}
const OTHERS: DoubleAnswer = {
  status: 200,
  body: intentLike({
    id: 'pi_others',
    status: 'requires_capture',
    metadata: { attempt_id: 'another-order', capture_attempt_id: 'another-order' },
  }),
}
const FORBIDDEN = errorOf(401, 'invalid_request_error', '', 'Invalid API Key provided: sk_test_*******here')
const WITHOUT_PERMISSION = errorOf(
  403,
  'invalid_request_error',
  '',
  'The provided key does not have the required permissions for this endpoint.',
)
const MISMATCH = errorOf(
  400,
  'idempotency_error',
  '',
  'Keys for idempotent requests can only be used with the same parameters they were first used with.',
)

export async function startStripeDouble(behaviour: Behaviour): Promise<StripeDouble> {
  const ledger = createStripeLedger()
  const disputes = createDisputeLedger(ledger)
  const remembered: Remembered = new Map()
  const requests: StripeRequestSeen[] = []
  const breaches: string[] = []
  const server = await startDoubleServer({ answerTo, other: OTHERS, errors: ERRORS })
  return {
    baseUrl: server.origin,
    ledger,
    disputes,
    requests,
    breakNext: server.breakNext,
    heal: server.heal,
    forgetKeys: () => remembered.clear(),
    async close() {
      await server.close()
      if (breaches.length > 0) throw new Error(`not as Stripe has it:\n${breaches.join('\n')}`)
    },
  }

  async function answerTo(request: ReceivedRequest, fault: DoubleFault | undefined): Promise<DoubleAnswer> {
    const { method, path, key, headers } = request
    const sent = (await uploadIn(request)) ?? { params: paramsOf(request.text) }
    const { params } = sent
    requests.push({ method, path, key, params })
    breaches.push(
      ...faultsOfRequest(method, path, params).map((found) => `${method} ${path}: ${found}`),
      ...(headers['stripe-version'] === API_VERSION ? [] : ['a request without the version']),
    )
    if (headers.authorization !== `Bearer ${behaviour.secretKey}`) return FORBIDDEN
    if (fault === 'error 500 before applying') return once(remembered, request, () => ERRORS.failure)
    if (strikesBefore(fault)) return OTHERS
    const answer = once(remembered, request, () => {
      const done = carryOut({ ledger, disputes }, behaviour, request, sent)
      return fault === 'error 500 after applying' ? ERRORS.failure : done
    })
    const found = faultsOfAnswer(method, path, answer.status, answer.body)
    breaches.push(...found.map((breach) => `the answer to ${method} ${path}: ${breach}`))
    return answer
  }
}

/** Does what a request asks for, once it is let in. */
function carryOut(
  { ledger, disputes }: Pick<StripeDouble, 'ledger' | 'disputes'>,
  { accountId = 'acct_double', mayAnswerDisputes = true }: Behaviour,
  { method, path }: ReceivedRequest,
  { params, content }: { params: object; content?: Buffer },
): DoubleAnswer {
  if (path === '/v1/account')
    return { status: 200, body: accountLike({ id: accountId, charges_enabled: true }) }
  if (!/^\/v1\/(?:disputes|files)\b/.test(path)) return ledger.apply(method, path, params)
  if (!mayAnswerDisputes) return WITHOUT_PERMISSION
  return content === undefined ? disputes.apply(method, path, params) : disputes.keep(content)
}

type Remembered = Map<string, { content: string; answer: DoubleAnswer }>

/** The first answer under a key is the answer to all that come under it, also if it was an error. */
function once(
  remembered: Remembered,
  { path, key, text }: ReceivedRequest,
  act: () => DoubleAnswer,
): DoubleAnswer {
  if (key === '') return act()
  const content = `${path} ${text}`
  const known = remembered.get(key)
  if (known !== undefined && known.content !== content) return MISMATCH
  if (known !== undefined) return { ...known.answer, headers: { 'idempotent-replayed': 'true' } }
  const answer = act()
  remembered.set(key, { content, answer })
  return answer
}

/** The file that is uploaded, and what is said of it, as any reader of forms finds it; undefined of any other request. */
async function uploadIn({
  headers: { 'content-type': type = '' },
  bytes,
}: ReceivedRequest): Promise<{ params: object; content: Buffer } | undefined> {
  if (!type.startsWith('multipart/form-data')) return undefined
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const file = form.get('file')
  const purpose = form.get('purpose')
  if (!(file instanceof File)) return { params: { purpose, file }, content: Buffer.alloc(0) }
  return {
    params: { purpose, file: { name: file.name, type: file.type, size: file.size } },
    content: Buffer.from(await file.arrayBuffer()),
  }
}

/** A form's fields, nested as their names say: `card[number]=1` is `{ card: { number: '1' } }`. */
function paramsOf(text: string): object {
  const root: Nested = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const names = name.split(/[[\]]+/).filter((part) => part !== '')
    let place = root
    for (const part of names.slice(0, -1)) {
      const known = place.get(part)
      const inner: Nested = known instanceof Map ? known : new Map()
      place.set(part, inner)
      place = inner
    }
    place.set(names.at(-1) ?? '', value)
  }
  return toObject(root)
}

type Nested = Map<string, string | Nested>

const toObject = (nested: Nested): object =>
  Object.fromEntries(
    [...nested].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )
