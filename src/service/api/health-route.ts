import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Check } from '../platform/domain.ts'
import { inTime } from '../platform/in-time.ts'
import type { Maintenance } from '../platform/maintenance.ts'
import { answer } from '../platform/http/answers/answer.ts'
import type { Operation } from '../platform/http/operation.ts'

interface Parts {
  /** By the name of the dependency. */
  checks: Readonly<Record<string, Check>>
  maintenance: Pick<Maintenance, 'retryAfter'>
  /** Whether this process is about to stop. */
  isDraining: () => boolean
}

type State = 'up' | 'down'

const DEADLINE_MS = 2000

const state = v.picklist(['up', 'down'])
const health = {
  name: 'Health',
  schema: v.strictObject({
    status: v.picklist(['up', 'down', 'maintenance', 'draining']),
    dependencies: v.record(v.string(), state),
  }),
  words: { dependencies: 'What the service needs, by name.' },
  example: { status: 'up', dependencies: { database: 'up' } },
}
const operation: Operation = {
  id: 'getHealth',
  group: 'Service',
  summary: 'What is up and what is down',
  description:
    'For load balancers and monitors: never limited, answered also under overload and in maintenance.',
  key: 'none',
  isAlwaysServed: true,
  answers: [
    { status: 200, words: 'Everything is up.', resource: health },
    { status: 500, words: 'A dependency is down.', resource: health },
    {
      status: 503,
      words:
        'Maintenance: every other operation is refused. Or draining: this process is about to stop and still serves; send what is new to another one.',
      resource: { ...health, example: { status: 'maintenance', dependencies: { database: 'up' } } },
    },
  ],
}

/** `GET /health` (contract §6.6): the state of each dependency; 500 when one is down, 503 in maintenance and before this process stops. */
export function addHealthRoute(app: FastifyInstance, { checks, maintenance, isDraining }: Parts): void {
  const stateOf = Object.entries(checks).map(
    ([name, check]) => [name, shared(() => checked(name, check, app.log))] as const,
  )
  app.get(
    '/health',
    { config: { resourceType: 'health', operation, isRoutine: true } },
    async (_request, reply) => {
      const states = await Promise.all(stateOf.map(async ([name, ask]) => [name, await ask()] as const))
      const dependencies = Object.fromEntries(states)
      if (isDraining()) return answer(reply, 503, 'health', { status: 'draining', dependencies })
      const retryAfter = maintenance.retryAfter()
      if (retryAfter !== null) {
        void reply.header('retry-after', String(retryAfter))
        return answer(reply, 503, 'health', { status: 'maintenance', dependencies })
      }
      const isWell = states.every(([, one]) => one === 'up')
      return answer(reply, isWell ? 200 : 500, 'health', { status: isWell ? 'up' : 'down', dependencies })
    },
  )
}

/** Callers share an answer that is under way, so that many monitors cost as much as one. */
function shared(ask: () => Promise<State>): () => Promise<State> {
  let asking: Promise<State> | undefined
  return () => (asking ??= ask().finally(() => (asking = undefined)))
}

/** The state within two seconds; why it is down goes to the log and to no caller. */
async function checked(name: string, check: Check, log: FastifyBaseLogger): Promise<State> {
  try {
    await inTime(check(), DEADLINE_MS, () => {
      throw new Error(`no answer in ${DEADLINE_MS} ms`)
    })
    return 'up'
  } catch (error) {
    log.error({ err: error, dependency: name }, 'a dependency is down')
    return 'down'
  }
}
