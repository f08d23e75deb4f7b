import type { DisputeAnswer } from '../gateways/gateway.ts'
import { putOff } from './answer-store.ts'
import { NOTHING_TOLD, WENT_ON } from './dispute.ts'
import type { Answer, Dispute } from './dispute.ts'
import { findDispute } from './dispute-store.ts'
import { openDocument, record } from './disputes.ts'
import type { DisputesDeps } from './disputes.ts'
import { findContents } from './document-store.ts'

/**
 * Sends a merchant's answer to the gateway, and records what came of it. True if the gateway answered. It may be sent any number of times:
 * gateways know it by its id. `isLast`: it was tried for a day.
 */
export async function sendAnswer(
  deps: DisputesDeps,
  disputeId: string,
  { isLast, signal }: { isLast: boolean; signal: AbortSignal },
): Promise<boolean> {
  const dispute = await findDispute(deps.database, disputeId)
  const answer = dispute?.answer ?? null
  if (dispute === null || answer?.state !== 'sending') return true
  if (dispute.stage !== answer.stage) {
    await recordEnd(deps, dispute, answer, { kind: 'unconfirmed', message: WENT_ON })
    return true
  }
  const outcome = await deliver(deps, dispute, answer, signal).catch((error: unknown) => {
    deps.onFault(error)
    return { kind: 'unreachable' } as const
  })
  const hasAnswered = outcome.kind === 'taken' || outcome.kind === 'refused'
  if (hasAnswered) await recordEnd(deps, dispute, answer, outcome)
  else if (isLast) await recordEnd(deps, dispute, answer, NEVER_CONFIRMED)
  else await putOff(deps.database, disputeId)
  return hasAnswered
}

/** How an answer ended. `unconfirmed`: nobody here knows whether the gateway has taken it. */
type AnswerEnd =
  | Extract<DisputeAnswer, { kind: 'taken' | 'refused' }>
  | { kind: 'unconfirmed'; message: string }

const NEVER_CONFIRMED: AnswerEnd = {
  kind: 'unconfirmed',
  message:
    'The gateway has not confirmed the answer for a day. See at the gateway whether it has arrived, and answer there.',
}

async function deliver(deps: DisputesDeps, dispute: Dispute, answer: Answer, signal: AbortSignal) {
  const { disputes } = await deps.adapterOf(dispute)
  if (disputes === undefined)
    return { kind: 'refused', message: 'This gateway takes no answers from here.' } as const
  const request = { disputeId: dispute.externalId, answerId: answer.id, signal }
  if (answer.action === 'accept') return disputes.accept(request)
  const files = dispute.documents.filter(({ id }) => answer.documents.includes(id))
  const ids = files.map(({ id }) => id)
  const contents = await findContents(deps.database, dispute.id, ids)
  const documents = await Promise.all(
    files.map(async ({ id, type, name, contentType }) => {
      const sealed = contents.get(id)
      if (sealed === undefined) throw new Error(`the file ${id} of dispute ${dispute.id} is gone`)
      return { type, name, contentType, content: await openDocument(deps, id, sealed) }
    }),
  )
  const { defence, statement } = answer
  return disputes.defend({ ...request, defence: defence ?? '', statement, documents })
}

/** Records how an answer ended, once. */
async function recordEnd(
  deps: DisputesDeps,
  { id, chargeId }: Dispute,
  answer: Answer,
  end: AnswerEnd,
): Promise<void> {
  await deps.database.transaction(async (queries) => {
    const charge = await deps.lockCharge(queries, chargeId)
    const dispute = await findDispute(queries, id)
    const isRecorded = dispute?.answer?.id !== answer.id || dispute.answer.state !== 'sending'
    if (charge === null || dispute === null || isRecorded) return
    const { externalId } = dispute
    const said =
      end.kind === 'taken' ? TAKEN[answer.action] : { status: null, description: descriptionOf(end) }
    await record(deps, queries, charge, dispute, {
      happening: { ...NOTHING_TOLD, ...said, at: deps.now(), stage: answer.stage, externalId },
      newsKey: `answer ${answer.id}`,
      actor: answer.userId === null ? 'merchant' : `user:${answer.userId}`,
      answer:
        end.kind === 'taken'
          ? { ...answer, state: 'sent', message: null }
          : { ...answer, state: 'refused', message: end.message },
    })
  })
}

function descriptionOf({ kind, message }: Exclude<AnswerEnd, { kind: 'taken' }>): string {
  return kind === 'refused' ? `The gateway did not take the answer: ${message}` : message
}

const TAKEN = {
  accept: { status: 'accepted', description: 'Accepted' },
  defend: { status: 'under_review', description: 'Defended' },
} as const
