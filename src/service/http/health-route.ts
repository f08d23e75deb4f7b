import type { FastifyInstance } from 'fastify'
import { answer } from './answer.ts'

type Check = () => Promise<unknown>

/** `GET /health` (contract §6): the state of each dependency; 500 when one is down. */
export function addHealthRoute(app: FastifyInstance, checks: Readonly<Record<string, Check>>): void {
  app.get('/health', { config: { resourceType: 'health' } }, async (request, reply) => {
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
    await check()
    return 'up'
  } catch (error) {
    log.error({ err: error }, 'a dependency is down')
    return 'down'
  }
}
