import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { AuthenticationStep } from '../../../contract/api/charges/authentication.ts'
import type { AuthenticationSession } from '../../../contract/api/charges/authentication.ts'
import { notFound } from '../../platform/errors.ts'
import { toAmount } from '../../platform/money.ts'
import type {
  AuthenticationNeeded,
  AuthenticationRequest,
  AuthenticationTold,
  Gateway,
  GatewayAnswer,
} from '../gateways/gateway.ts'
import { bringForward } from './attempt-store.ts'
import { authenticationRequiredEvent } from './attempt-outcome.ts'
import { ageOf, askGateway, findAttempt, recordOutcome, toGatewayRequest } from './settle.ts'
import type { AttemptDeps, AttemptResult } from './settle.ts'
import { pendingAuthentication } from './authentication.ts'
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
import type { Attempt, Charge } from './charge.ts'

/** What is sealed of an authentication: what the page shows, what the adapter needs, and what the bank's page has sent back of this step. */
const StepContent = v.object({
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
type StepContent = v.InferOutput<typeof StepContent>

/** Notes that the bank wants to ask the card holder of a sale; the page may show its step with the token of the result. */
export async function beginAuthentication(
  deps: AttemptDeps,
  { charge, attempt }: AttemptResult,
  id: string,
  { askedBy, step, state }: AuthenticationNeeded,
): Promise<AttemptResult> {
  const token = deps.authentications.createAccessToken()
  const asked = await askHolder(deps, charge, attempt, {
    authentication: pendingAuthentication(id, askedBy),
    accessHash: hashOf(token),
    step: await sealed(deps, id, { token, step, state, told: null }),
    facts: authenticationRequiredEvent(charge, attempt, askedBy).facts,
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
  return kept === null ? null : ((await unsealed(deps, kept))?.token ?? null)
}

/** Whether a page's token is that of an authentication. */
export async function isTokenOf({ database }: AttemptDeps, id: string, token: string): Promise<boolean> {
  const kept = await findAuthentication(database, id)
  return kept !== null && timingSafeEqual(kept.accessHash, hashOf(token))
}

/** What a page may know of an authentication. Throws `not_found` where there is none. */
export async function sessionOf(deps: AttemptDeps, id: string): Promise<AuthenticationSession> {
  const kept = await findAuthentication(deps.database, id)
  if (kept === null) throw notFound('authentication')
  const { charge, attempt } = await findAttempt(deps, kept)
  const shown = await unsealed(deps, kept)
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
  const { told } = taken.content
  if (told === null) return abandon(deps, taken, 'cancelled')
  if ((await finish(deps, taken, told)) !== 'unknown') await giveUp(deps, id)
}

/**
 * Asks about an authentication without an answer, as a job does: by what was told of its step, and if nobody finished in time, the gateway ends
 * it. Null if its step is gone, so that it can't be asked about.
 */
export async function resolveAuthentication(
  deps: AttemptDeps,
  { id: attemptId }: Attempt,
): Promise<AttemptResult | 'another_asks' | null> {
  const kept = await findByAttempt(deps.database, attemptId)
  if (kept?.step == null) return null
  const taken = await take(deps, kept.id, kept.stepNumber)
  if (taken === null) return 'another_asks'
  const { told } = taken.content
  if (kept.isTimeOver && told === null) await abandon(deps, taken, 'timed_out')
  else {
    // A step that may have been carried out is asked about until the gateway answers, however late. What came to nothing is forgotten.
    const finished = await finish(deps, taken, told ?? { kind: 'look' })
    if (kept.isTimeOver && finished === 'waits') await resolveAuthentication(deps, taken.attempt)
  }
  return findAttempt(deps, kept)
}

/** An authentication that this process alone asks about for a few seconds. */
interface Taken {
  kept: KeptAuthentication
  content: StepContent
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
  const content = kept === null ? null : await unsealed(deps, kept)
  if (kept === null || content === null) return null
  const subject = await findAttempt(deps, kept)
  // News or an operator may have brought the outcome since the step was taken.
  return subject.attempt.outcome === 'open' ? { kept, content, ...subject } : null
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

/** Keeps what was told before the gateway is asked, so that whoever asks after a crash asks the same. What was told first of a step counts. */
async function hear(
  deps: AttemptDeps,
  { kept, content }: Taken,
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
      await forgetTold(deps, taken, told)
      return 'waits'
    case 'unknown':
    case 'unreachable':
      await freeStep(deps.database, kept)
      await bringForward(deps, attempt)
      return 'unknown'
    case 'authentication_needed': {
      const { step, state } = answer
      const next = { token: taken.content.token, step, state, told: null }
      await keepNextStep(deps.database, kept, await sealed(deps, kept.id, next))
      return 'done'
    }
    case 'approved':
    case 'declined':
      await recordOutcome(deps, charge, attempt, answer)
      return 'done'
  }
}

/** Forgets what was told of a step, as nothing came of it: the bank may tell again. */
async function forgetTold(deps: AttemptDeps, { kept, content }: Taken, told: AuthenticationTold) {
  if (told.kind !== 'look')
    await keepTold(deps.database, kept, await sealed(deps, kept.id, { ...content, told: null }))
  await freeStep(deps.database, kept)
}

/** Has the gateway end it. `left`: why the card holder did not finish, unless the bank says it. */
async function abandon(deps: AttemptDeps, taken: Taken, left: 'cancelled' | 'timed_out'): Promise<void> {
  const { kept, charge, attempt } = taken
  const answer = await ask(deps, taken, (gateway, request) => gateway.abandon(request))
  if (answer.kind === 'approved' || answer.kind === 'declined')
    await recordOutcome(deps, charge, attempt, { left, ...answer })
  else {
    await freeStep(deps.database, kept)
    await bringForward(deps, attempt)
  }
}

function ask<Answer extends { kind: string }>(
  deps: AttemptDeps,
  { kept, content: { state }, charge, attempt }: Taken,
  call: (gateway: NonNullable<Gateway['authentication']>, request: AuthenticationRequest) => Promise<Answer>,
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

async function sealed(
  { authentications }: AttemptDeps,
  id: string,
  content: StepContent,
): Promise<SealedStep> {
  return authentications.vault.seal(JSON.stringify(content), placeOfStep(id))
}

async function unsealed(
  { authentications }: AttemptDeps,
  { id, step }: KeptAuthentication,
): Promise<StepContent | null> {
  if (step === null) return null
  return v.parse(StepContent, JSON.parse(await authentications.vault.open(step, placeOfStep(id))))
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
