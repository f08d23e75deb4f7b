import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Database } from '../../../platform/database/database.ts'
import { challengePage, methodPage, MOST_TRIES, noticePage, returnPage, RIGHT_CODE } from './bank-pages.ts'
import type { BankPage } from './bank-pages.ts'
import { countTry, decide, findByAcs, noteMethod, noteOpened } from './bank-store.ts'
import type { BankRow } from './bank-store.ts'
import { readCreq, readMethodData } from './messages.ts'

interface BankDeps {
  database: Database
  /** Its own origin. */
  bankUrl: string
}

const config = { takesForm: true, isRoutine: true }
const BODY_LIMIT_BYTES = 16 * 1024
const SLOW_MS = 5000

/** The pages of the sandbox's bank, in the frames of a payment: what EMV 3-D Secure calls the method and the challenge. */
export function addSandboxBankRoutes(app: FastifyInstance, deps: BankDeps): void {
  const { database, bankUrl } = deps
  const options = { config, bodyLimit: BODY_LIMIT_BYTES }

  app.get('/', { config: { isRoutine: true } }, (_request, reply) =>
    send(
      reply,
      200,
      noticePage('Sandbox Bank', 'Here test cards are authenticated, in the page of a payment.', bankUrl),
    ),
  )

  app.post('/3ds/method', options, async (request, reply) => {
    const data = readMethodData(formOf(request).get('threeDSMethodData') ?? '')
    const row = data === null ? null : await noteMethod(database, data.threeDSServerTransID)
    return row === null ? unknown(reply, bankUrl) : send(reply, 200, methodPage(row, bankUrl))
  })

  app.post('/3ds/challenge', options, async (request, reply) => {
    const creq = readCreq(formOf(request).get('creq') ?? '')
    const row = creq === null ? null : await noteOpened(database, creq.acsTransID)
    return row === null || row.server_trans_id !== creq?.threeDSServerTransID
      ? unknown(reply, bankUrl)
      : open(reply, deps, row)
  })

  app.post('/3ds/challenge/answer', options, async (request, reply) => {
    const form = formOf(request)
    const row = await rowOf(database, form.get('acs'))
    if (row === null) return unknown(reply, bankUrl)
    const after = await hear(database, row, { action: form.get('action'), code: form.get('code') ?? '' })
    return isOver(after)
      ? send(reply, 200, returnPage(after, bankUrl))
      : send(reply, 200, challengePage(after, bankUrl, { isWrong: after.tries > row.tries }))
  })

  app.get<{ Querystring: { acs?: string } }>(
    '/3ds/challenge/state',
    { config: { isRoutine: true } },
    async (request, reply) => {
      const row = await rowOf(database, request.query.acs ?? null)
      void reply.header('access-control-allow-origin', '*')
      return reply.send({ decided: row === null || isOver(row) })
    },
  )
}

async function open(reply: FastifyReply, { bankUrl }: BankDeps, row: BankRow): Promise<FastifyReply> {
  if (isOver(row)) return send(reply, 200, returnPage(row, bankUrl))
  if (row.page === 'slow') await sleep(SLOW_MS)
  return send(reply, 200, challengePage(row, bankUrl))
}

const isOver = ({ trans_status: transStatus, ended_at: endedAt }: BankRow) =>
  transStatus !== null || endedAt !== null

/** What the card holder's answer changes; after its time none counts. */
async function hear(
  database: Database,
  row: BankRow,
  { action, code }: { action: string | null; code: string },
): Promise<BankRow> {
  const settle = async (
    ...decision: Parameters<typeof decide> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => (await decide(database, row.attempt_id, ...decision)) ?? row
  if (row.seconds_left <= 0) return settle({ transStatus: 'N', reason: '14' }, 'time')
  switch (action) {
    case 'cancel':
      return settle({ transStatus: 'N', reason: null }, 'holder')
    case 'approve':
      return settle({ transStatus: 'Y', reason: null })
    case 'refuse':
      return settle({ transStatus: 'N', reason: '01' })
    case 'code': {
      if (code.replaceAll(/\s/g, '') === RIGHT_CODE && row.page !== 'no_code_is_right')
        return settle({ transStatus: 'Y', reason: null })
      const tried = await countTry(database, row.acs_trans_id)
      if (tried === null || tried.tries < MOST_TRIES) return tried ?? row
      return settle({ transStatus: 'N', reason: '01' })
    }
    default:
      return row
  }
}

const Acs = v.pipe(v.string(), v.uuid())

async function rowOf(database: Database, acs: string | null): Promise<BankRow | null> {
  return v.is(Acs, acs) ? findByAcs(database, acs) : null
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

function unknown(reply: FastifyReply, bankUrl: string): FastifyReply {
  const words = 'The bank does not know this payment. Go back to the shop and pay again.'
  return send(reply, 404, noticePage('Nothing to confirm', words, bankUrl))
}

function send(reply: FastifyReply, status: number, { html, policy }: BankPage): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .send(html)
}
