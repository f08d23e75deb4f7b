import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { answer } from './answers/answer.ts'
import type { Operation } from './operation.ts'

type Check = () => Promise<unknown>

const DEADLINE_MS = 2000

const state = v.picklist(['up', 'down'])
const health = {
  name: 'Health',
  schema: v.strictObject({ status: state, dependencies: v.record(v.string(), state) }),
  example: { status: 'up', dependencies: { database: 'up' } },
}
const operation: Operation = {
  id: 'getHealth',
  group: 'Service',
  summary: 'What is up and what is down',
  description: 'For load balancers and monitors: never limited, answered also under overload.',
  key: 'none',
  isAlwaysServed: true,
  answers: [
    { status: 200, words: 'Everything is up.', resource: health },
    { status: 500, words: 'A dependency is down.', resource: health },
  ],
}

async function lateness(): Promise<never> {
  await sleep(DEADLINE_MS, undefined, { ref: false })
  throw new Error(`no answer in ${DEADLINE_MS} ms`)
}

/** `GET /health` (contract §6): the state of each dependency; 500 when one is down. */
export function addHealthRoute(app: FastifyInstance, checks: Readonly<Record<string, Check>>): void {
  app.get('/health', { config: { resourceType: 'health', operation } }, async (request, reply) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check, request.log)] as const),
    )
    const isWell = states.every(([, state]) => state === 'up')
    return answer(reply, isWell ? 200 : 500, 'health', {
      status: isWell ? 'up' : 'down',
      dependencies: Object.fromEntries(states),
    })
  })
}

async function stateOf(
  check: Check,
  log: { error: (facts: object, words: string) => void },
): Promise<'up' | 'down'> {
  try {
    await Promise.race([check(), lateness()])
    return 'up'
  } catch (error) {
    log.error({ err: error }, 'a dependency is down')
    return 'down'
  }
}
