import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { createPages } from '../pages/pages.ts'
import { requireSameOrigin } from '../pages/request-origin.ts'
import { toMandateView } from './mandate-view.ts'
import { ANSWERS } from './sandbox-bank.ts'
import type { SandboxBank } from './sandbox-bank.ts'

const Params = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/)) })
const Given = v.object({ answer: v.picklist(ANSWERS) })

interface BankParts {
  /** Renders within the bank's own layout. */
  page: ReturnType<typeof createPages>
  bank: SandboxBank
}

/** The payer's bank in the sandbox. It is not part of the shop, but served by the same server for simplicity. */
export function addBankRoutes(app: FastifyInstance, { page, bank }: BankParts): void {
  app.get('/bank/:id', async (request, reply) => {
    const { id } = v.parse(Params, request.params)
    return reply.type('text/html; charset=utf-8').send(await page('bank', 'Your agreement', { id }))
  })

  app.get('/api/bank/:id', async (request) =>
    toMandateView(await bank.read(v.parse(Params, request.params).id)),
  )

  app.post('/api/bank/:id/answers', { preHandler: requireSameOrigin }, async (request) => {
    const { id } = v.parse(Params, request.params)
    return toMandateView(await bank.answer(id, v.parse(Given, request.body).answer))
  })
}
