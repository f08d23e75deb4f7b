import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { AuthenticationStep } from '../../../contract/api/charges/authentication.ts'
import type { AuthenticationSession } from '../../../contract/api/charges/authentication.ts'
import { notFound } from '../../platform/errors.ts'
import { toAmount } from '../../platform/money.ts'
import type { AuthenticationNeeded, AuthenticationTold, Gateway, GatewayAnswer } from '../gateways/gateway.ts'
import { bringForward } from './attempt-store.ts'
import { requiredEvent } from './attempt-outcome.ts'
import { ageOf, askGateway, recordOutcome, toGatewayRequest } from './settle.ts'
import type { AttemptDeps, AttemptResult } from './settle.ts'
import { askedFor } from './authentication.ts'
import {
  askHolder,
  findAuthentication,
  findByAttempt,
  freeStep,
  keepNextStep,
  keepTold,
  placeOfStep,
  takeStep,
} from './authentication-store.ts'
import type { KeptAuthentication, SealedStep } from './authentication-store.ts'
import { findCharge } from './charge-store.ts'
import type { Attempt, Charge } from './charge.ts'

/** What is sealed of an authentication: what the page shows, what the adapter needs, and what the bank's page has sent back of this step. */
const Sealed = v.object({
  token: v.string(),
  step: AuthenticationStep,
  state: v.string(),
  told: v.nullable(
    v.variant('kind', [
      v.object({ kind: v.literal('method'), completed: v.boolean() }),
      v.object({ kind: v.literal('returned'), fields: v.record(v.string(), v.string()) }),
    ]),
  ),
})
type Sealed = v.InferOutput<typeof Sealed>

/** Notes that the bank wants to ask the card holder of a sale; the page may show its step with the token of the result. */
export async function beginAuthentication(
  deps: AttemptDeps,
  { charge, attempt }: AttemptResult,
  id: string,
  { askedBy, step, state }: AuthenticationNeeded,
): Promise<AttemptResult> {
  const token = deps.authentications.createAccessToken()
  const asked = await askHolder(deps, charge, attempt, {
    authentication: askedFor(id, askedBy),
    accessHash: hashOf(token),
    step: await sealed(deps, id, { token, step, state, told: null }),
    facts: requiredEvent(charge, attempt, askedBy).facts,
  })
  if (asked === null) return { charge, attempt }
  const { authentication, updatedAt, version } = asked
  const waiting = { ...attempt, authentication }
  const attempts = charge.attempts.map((one) => (one.id === waiting.id ? waiting : one))
  const moved = {
    ...charge,
    status: 'pre_authentication_pending' as const,
    attempts,
    version,
    updatedAt,
  }
  return { charge: moved, attempt: waiting, accessToken: token }
}

/** The token of an authentication that is under way, for a request that comes again; null once it has ended. */
export async function accessTokenOf(deps: AttemptDeps, { id }: Attempt): Promise<string | null> {
  const kept = await findByAttempt(deps.database, id)
  return kept === null ? null : ((await opened(deps, kept))?.token ?? null)
}

/** Whether a token is that of an authentication. */
export async function opens({ database }: AttemptDeps, id: string, token: string): Promise<boolean> {
  const kept = await findAuthentication(database, id)
  return kept !== null && timingSafeEqual(kept.accessHash, hashOf(token))
}

/** What a page may know of an authentication. Throws `not_found` where there is none. */
export async function sessionOf(deps: AttemptDeps, id: string): Promise<AuthenticationSession> {
  const kept = await findAuthentication(deps.database, id)
  if (kept === null) throw notFound('authentication')
  const { charge, attempt } = await subjectOf(deps, kept)
  const shown = await opened(deps, kept)
  const { outcome, authentication } = attempt
  return {
    id,
    status: authentication?.status ?? 'pending',
    step: shown?.told === null && outcome === 'open' ? shown.step : null,
    step_number: kept.stepNumber,
    expires_at: kept.expiresAt.toISOString(),
    succeeded: outcome === 'open' ? null : outcome === 'approved',
    amount: toAmount(charge.amount),
    currency: charge.currency,
    card_scheme: charge.paymentSource.card_scheme,
    card_number_last4: charge.paymentSource.card_number_last4,
  }
}

/**
 * Goes on after a step, by what the page or the bank has told of it; nothing of that is believed. Of many who tell of the same step at once, one
 * asks the gateway at a time, until it has an answer. A step that is past changes nothing.
 */
export async function carryOn(
  deps: AttemptDeps,
  { id, stepNumber }: { id: string; stepNumber: number },
  told: AuthenticationTold,
): Promise<void> {
  const taken =
    told.kind === 'look'
      ? await take(deps, id, stepNumber, MOST_ASKED)
      : await takeInTurn(deps, id, stepNumber, MOST_ASKED)
  if (taken === null) return
  const heard = await hear(deps, taken, told)
  // What another one had told before came to nothing: it may have been forged.
  if ((await finish(deps, taken, heard)) === 'waits' && heard !== told)
    await carryOn(deps, { id, stepNumber }, told)
}

/** What the bank's page has sent back of the step that is under way, whichever it is. */
export async function hearBank(
  deps: AttemptDeps,
  id: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const kept = await findAuthentication(deps.database, id)
  if (kept === null) throw notFound('authentication')
  await carryOn(deps, kept, { kind: 'returned', fields })
}

/**
 * Ends an authentication because the card holder gave up. One of which the bank has told something goes on by that first; it is ended all the same
 * if nothing came of that, or another step.
 */
export async function giveUp(deps: AttemptDeps, id: string): Promise<void> {
  const kept = await findAuthentication(deps.database, id)
  if (kept === null) throw notFound('authentication')
  const taken = await takeInTurn(deps, id, kept.stepNumber, MOST_ASKED + MORE_TO_GIVE_UP)
  if (taken === null) return
  if (taken.sealed.told === null) return abandon(deps, taken, 'cancelled')
  if ((await finish(deps, taken, taken.sealed.told)) !== 'unknown') await giveUp(deps, id)
}

/**
 * Asks about an authentication without an answer, as a job does: by what the bank has told, and if nobody finished in time, the gateway ends it.
 * Null if it can't be asked about: its step is gone or another is at it.
 */
export async function resolveAuthentication(
  deps: AttemptDeps,
  { charge, attempt }: AttemptResult,
): Promise<AttemptResult | 'another_asks' | null> {
  const kept = await findByAttempt(deps.database, attempt.id)
  if (kept?.step == null) return null
  const taken = await take(deps, kept.id, kept.stepNumber)
  if (taken === null) return 'another_asks'
  const { told } = taken.sealed
  const isAsked = !kept.isOver || told !== null
  const finished = isAsked ? await finish(deps, taken, told ?? { kind: 'look' }) : 'waits'
  // A step that may have been carried out is asked about until the gateway answers, however late.
  if (kept.isOver && finished === 'waits') await abandon(deps, taken, 'timed_out')
  const now = await findCharge(deps.database, charge.id)
  const settled = now?.attempts.find(({ id }) => id === attempt.id)
  return now === null || settled === undefined ? null : { charge: now, attempt: settled }
}

/** An authentication that this process alone asks about for a few seconds. */
interface Taken {
  kept: KeptAuthentication
  sealed: Sealed
  charge: Charge
  attempt: Attempt
}

/** How often pages and banks may have the gateway asked about one authentication; after that a job alone asks. */
const MOST_ASKED = 100
/** So many more may come from card holders who give up: a bank that is asked about for long can still be left. */
const MORE_TO_GIVE_UP = 20

async function take(
  deps: AttemptDeps,
  id: string,
  stepNumber: number,
  mostAsked: number | null = null,
): Promise<Taken | null> {
  const kept = await takeStep(deps.database, { id, stepNumber }, mostAsked)
  const content = kept === null ? null : await opened(deps, kept)
  if (kept === null || content === null) return null
  const subject = await subjectOf(deps, kept)
  // News or an operator may have brought the outcome since the step was taken.
  return subject.attempt.outcome === 'open' ? { kept, sealed: content, ...subject } : null
}

/** How long one waits for another who is asking, in ms: longer than a gateway is waited for. */
const TURN_MS = 9000
const PAUSE_MS = 100

/** Takes it once nobody else is asking: what a bank's page tells comes once. Null once the step is past. */
async function takeInTurn(
  deps: AttemptDeps,
  id: string,
  stepNumber: number,
  mostAsked: number,
): Promise<Taken | null> {
  for (let waited = 0; waited <= TURN_MS; waited += PAUSE_MS) {
    const taken = await take(deps, id, stepNumber, mostAsked)
    if (taken !== null) return taken
    const kept = await findAuthentication(deps.database, id)
    if (kept?.step == null || kept.stepNumber !== stepNumber || kept.timesAsked >= mostAsked) return null
    await sleep(PAUSE_MS)
  }
  return null
}

async function subjectOf({ database }: AttemptDeps, { chargeId, attemptId }: KeptAuthentication) {
  const charge = await findCharge(database, chargeId)
  const attempt = charge?.attempts.find(({ id }) => id === attemptId)
  if (charge === null || attempt === undefined) throw new Error(`the charge ${chargeId} has gone`)
  return { charge, attempt }
}

/** Keeps what was told before the gateway is asked, so that whoever asks after a crash asks the same. What was told first of a step counts. */
async function hear(
  deps: AttemptDeps,
  { kept, sealed: content }: Taken,
  told: AuthenticationTold,
): Promise<AuthenticationTold> {
  if (content.told !== null) return content.told
  if (told.kind === 'look') return told
  const kind = told.kind === 'returned' ? { ...told, fields: { ...told.fields } } : told
  await keepTold(deps.database, kept, await sealed(deps, kept.id, { ...content, told: kind }))
  return told
}

/** Asks the gateway to go on, and keeps what it says. `done`: the sale has an outcome, or another step. */
async function finish(
  deps: AttemptDeps,
  taken: Taken,
  told: AuthenticationTold,
): Promise<'done' | 'waits' | 'unknown'> {
  const { kept, charge, attempt } = taken
  const answer = await ask(deps, taken, (gateway, request) => gateway.finish({ ...request, told }))
  switch (answer.kind) {
    case 'waits':
      await waitOn(deps, taken, told)
      return 'waits'
    case 'unknown':
    case 'unreachable':
      await freeStep(deps.database, kept.id)
      await bringForward(deps, attempt)
      return 'unknown'
    case 'authentication_needed': {
      const { step, state } = answer
      const next = { token: taken.sealed.token, step, state, told: null }
      await keepNextStep(deps.database, kept, await sealed(deps, kept.id, next))
      return 'done'
    }
    case 'approved':
    case 'declined':
      await recordOutcome(deps, charge, attempt, answer)
      return 'done'
  }
}

/** Nothing came of what was told: it is forgotten, so that the bank may tell again. */
async function waitOn(deps: AttemptDeps, { kept, sealed: content }: Taken, told: AuthenticationTold) {
  if (told.kind !== 'look')
    await keepTold(deps.database, kept, await sealed(deps, kept.id, { ...content, told: null }))
  await freeStep(deps.database, kept.id)
}

async function abandon(deps: AttemptDeps, taken: Taken, left: 'cancelled' | 'timed_out'): Promise<void> {
  const { kept, charge, attempt } = taken
  const answer = await ask(deps, taken, (gateway, request) => gateway.abandon(request))
  if (answer.kind === 'approved' || answer.kind === 'declined')
    await recordOutcome(deps, charge, attempt, { ...answer, left })
  else {
    await freeStep(deps.database, kept.id)
    await bringForward(deps, attempt)
  }
}

type Asked = Parameters<NonNullable<Gateway['authentication']>['abandon']>[0]

function ask<Answer extends { kind: string }>(
  deps: AttemptDeps,
  { kept, sealed: { state }, charge, attempt }: Taken,
  call: (gateway: NonNullable<Gateway['authentication']>, request: Asked) => Promise<Answer>,
): Promise<Answer | Extract<GatewayAnswer, { kind: 'unknown' | 'unreachable' }>> {
  return askGateway(deps.gatewayCalls, charge, async ({ authentication }, signal) => {
    if (authentication === undefined) throw new Error('the gateway authenticates nobody')
    const { stepNumber } = kept
    const request = {
      ...toGatewayRequest(charge, attempt, signal),
      ageMs: ageOf(charge, attempt, deps.clockSteps).ageMs,
      capture: !charge.preAuth,
      state,
      stepNumber,
    }
    return call(authentication, request)
  })
}

async function sealed({ authentications }: AttemptDeps, id: string, content: Sealed): Promise<SealedStep> {
  return authentications.vault.seal(JSON.stringify(content), placeOfStep(id))
}

async function opened(
  { authentications }: AttemptDeps,
  { id, step }: KeptAuthentication,
): Promise<Sealed | null> {
  if (step === null) return null
  return v.parse(Sealed, JSON.parse(await authentications.vault.open(step, placeOfStep(id))))
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
