import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Database } from '../../../platform/database/database.ts'
import { challengePage, methodPage, MOST_TRIES, noticePage, returnPage, RIGHT_CODE } from './bank-pages.ts'
import type { BankPage } from './bank-pages.ts'
import { countTry, decide, findByAcs, findStrangers, noteMethod, noteOpened } from './bank-store.ts'
import type { Verdict } from './bank-cards.ts'
import type { BankRow, CancelledBy } from './bank-store.ts'
import { hostilePage, isHostile } from './hostile-pages.ts'
import { readCreq, readMethodData } from './messages.ts'

interface BankDeps {
  database: Database
  /** Its own origin. */
  bankUrl: string
}

const config = { takesForm: true, isRoutine: true }
const BODY_LIMIT_BYTES = 16 * 1024
const HOME = 'Here the holders of test cards are asked, in the page of their payment.'
const SLOW_MS = 5000
/** Longer than anyone waits for a page. */
const NEVER_MS = 60_000

/** The pages of the sandbox's bank, in the frames of a payment: what EMV 3-D Secure calls the method and the challenge. */
export function addSandboxBankRoutes(app: FastifyInstance, deps: BankDeps): void {
  const { database, bankUrl } = deps
  const options = { config, bodyLimit: BODY_LIMIT_BYTES }

  app.route({
    method: ['GET', 'POST'],
    url: '/',
    ...options,
    handler: (_request, reply) => send(reply, 200, noticePage('Test cards', HOME, bankUrl)),
  })

  app.post('/3ds/method', options, async (request, reply) => {
    const data = readMethodData(formOf(request).get('threeDSMethodData') ?? '')
    const row = data === null ? null : await noteMethod(database, data.threeDSServerTransID)
    if (row === null) return unknown(reply, bankUrl)
    const page = row.method === 'silent' ? SILENCE : methodPage(row, bankUrl)
    return send(reply, 200, page)
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

  app.get('/3ds/hostile/download', { config: { isRoutine: true } }, (_request, reply) =>
    reply
      .header('content-disposition', 'attachment; filename="hostile.txt"')
      .type('text/plain')
      .send('hostile'),
  )
  app.get('/3ds/hostile/never', { config: { isRoutine: true } }, async (_request, reply) => {
    await sleep(NEVER_MS, undefined, { ref: false })
    return reply.code(204).send()
  })
}

/** Opens the page on which the card holder is asked, as the card wants it. */
async function open(
  reply: FastifyReply,
  { database, bankUrl }: BankDeps,
  row: BankRow,
): Promise<FastifyReply> {
  if (isOver(row)) return send(reply, 200, returnPage(row, bankUrl))
  const { page } = row
  if (page === 'down') {
    reply.hijack()
    reply.raw.destroy()
    return reply
  }
  if (page === 'rubbish') return send(reply, 200, RUBBISH)
  if (page === 'slow') await sleep(SLOW_MS, undefined, { ref: false })
  if (!isHostile(page)) return send(reply, 200, challengePage(row, bankUrl))
  return send(reply, 200, hostilePage(row, page, await findStrangers(database, row.attempt_id)))
}

/** What some banks' servers answer when they are broken: it says nothing, and goes nowhere. */
const RUBBISH: BankPage = {
  html: '<<!DOCTYPE html><hmtl><b\u0001dy>\uFFFD%PDF-1.4 {"error": null}',
  policy: "default-src 'none'",
}

const SILENCE: BankPage = { html: '<!doctype html><title>Sandbox Bank</title>', policy: "default-src 'none'" }

const isOver = ({ trans_status: transStatus, ended_at: endedAt }: BankRow) =>
  transStatus !== null || endedAt !== null

/** What the card holder gives as answer: which button, and the code. */
interface Given {
  action: string | null
  code: string
}

interface Decision {
  verdict: Verdict
  cancelledBy?: CancelledBy
}

const PASSED: Verdict = { transStatus: 'Y', reason: null }
const FAILED: Verdict = { transStatus: 'N', reason: '01' }

/** What an answer decides; null if it decides nothing. After its time none counts. */
function decisionOf(
  { seconds_left: secondsLeft, page }: BankRow,
  { action, code }: Given,
): Decision | 'wrong_code' | null {
  if (secondsLeft <= 0) return { verdict: { transStatus: 'N', reason: '14' }, cancelledBy: 'time' }
  if (action === 'cancel') return { verdict: { transStatus: 'N', reason: null }, cancelledBy: 'holder' }
  if (action === 'approve') return { verdict: PASSED }
  if (action === 'refuse') return { verdict: FAILED }
  if (action !== 'code') return null
  const isRight = code.replaceAll(/\s/g, '') === RIGHT_CODE && page !== 'no_code_is_right'
  return isRight ? { verdict: PASSED } : 'wrong_code'
}

/** The authentication after an answer: decided, with one try less, or as it was. */
async function hear(database: Database, row: BankRow, given: Given): Promise<BankRow> {
  const decision = decisionOf(row, given)
  if (decision === null) return row
  const { attempt_id: id } = row
  if (decision !== 'wrong_code')
    return (await decide(database, id, decision.verdict, decision.cancelledBy)) ?? row
  const tried = await countTry(database, id)
  if (tried === null || tried.tries < MOST_TRIES) return tried ?? row
  return (await decide(database, id, FAILED)) ?? tried
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
    .headers({
      'content-type': 'text/html; charset=utf-8',
      ...(policy !== null && { 'content-security-policy': policy }),
    })
    .send(html)
}
