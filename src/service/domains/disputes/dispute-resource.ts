import { DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import type {
  DisputeDocumentResource,
  EarlierAnswerResource,
} from '../../../contract/api/disputes/dispute-resource.ts'
import type { DescribedResource } from '../../platform/http/operation.ts'
import { toAmount } from '../../platform/money.ts'
import { actionsOf, earlierAnswersOf } from './dispute.ts'
import type { Answer, Dispute, KeptDocument } from './dispute.ts'

/** A dispute on the wire. `canAnswer`: its gateway lets disputes be answered here. */
export function toDisputeResource(dispute: Dispute, canAnswer: boolean): DisputeResource {
  const { answer, stage } = dispute
  return {
    _id: dispute.id,
    charge_id: dispute.chargeId,
    gateway_id: dispute.gatewayId,
    gateway_type: dispute.gatewayType,
    external_id: dispute.externalId,
    status: dispute.status,
    stage,
    amount: toAmount(dispute.amount),
    currency: dispute.currency,
    funds_withdrawn: dispute.areFundsWithdrawn,
    reason: dispute.reason,
    respond_by: dispute.respondBy?.toISOString() ?? null,
    actions: actionsOf(dispute, canAnswer),
    answer: answer?.stage === stage ? toAnswerResource(answer) : null,
    earlier_answers: earlierAnswersOf(dispute).map((one) => toEarlierAnswerResource(one, dispute)),
    documents: dispute.documents.map(toDocumentResource),
    history: dispute.entries.flatMap(({ change, status, stage: reached, happening }) =>
      change === null
        ? []
        : [
            {
              change,
              status,
              stage: reached,
              description: happening.description,
              at: happening.at.toISOString(),
            },
          ],
    ),
    created_at: dispute.createdAt.toISOString(),
    updated_at: dispute.updatedAt.toISOString(),
  }
}

function toAnswerResource({
  action,
  state,
  defence,
  defenceDescription,
  statement,
  documents,
  message,
  at,
}: Answer): NonNullable<DisputeResource['answer']> {
  return {
    ...{ action, state, defence, defence_description: defenceDescription, statement },
    ...{ documents: [...documents], message, created_at: at.toISOString() },
  }
}

function toEarlierAnswerResource(answer: Answer, dispute: Dispute): EarlierAnswerResource {
  const files = [...dispute.documents, ...dispute.pastDocuments]
  return {
    ...toAnswerResource(answer),
    stage: answer.stage,
    documents: files.filter(({ id }) => answer.documents.includes(id)).map(toDocumentResource),
  }
}

function toDocumentResource(document: KeptDocument): DisputeDocumentResource {
  const { id, type, name, contentType, size, createdAt } = document
  return { _id: id, type, name, content_type: contentType, size, created_at: createdAt.toISOString() }
}

const example: DisputeResource = {
  _id: '6b017a3384f819f4cecbe1f0',
  charge_id: '6b01799184f819f4cecbe1a7',
  gateway_id: '6b01799184f819f4cecbe1a5',
  gateway_type: 'sandbox',
  external_id: 'dispute-6b01799184f819f4cecbe1a8',
  status: 'needs_response',
  stage: 'chargeback',
  amount: 9000.41,
  currency: 'AUD',
  funds_withdrawn: true,
  reason: { category: 'not_received', code: '13.1', description: 'Merchandise not received' },
  respond_by: '2026-12-05T10:00:00.000Z',
  actions: ['accept', 'defend'],
  answer: null,
  earlier_answers: [],
  documents: [],
  history: [
    {
      change: 'opened',
      status: 'needs_response',
      stage: 'chargeback',
      description: 'Charged back',
      at: '2026-11-21T10:00:01.000Z',
    },
  ],
  created_at: '2026-11-21T10:00:01.000Z',
  updated_at: '2026-11-21T10:00:01.000Z',
}

/** A dispute as the OpenAPI document describes it. */
export const disputeResource: DescribedResource = {
  name: 'Dispute',
  schema: DisputeResource,
  words: {
    status:
      'needs_response: defend or accept it; under_review: issuer or scheme decides; won; lost; accepted: the card holder keeps the money.',
    stage:
      'inquiry: the issuer asks, no money has moved; chargeback; second_chargeback: pre-arbitration and arbitration, too.',
    external_id: "The gateway's own id of it.",
    amount: 'In units of the currency.',
    funds_withdrawn: 'Whether the gateway has taken the amount back.',
    'reason.code': "The scheme's own code; null if the gateway does not tell.",
    respond_by: 'Until when it can be answered; null if the gateway does not tell.',
    actions: 'What can be done now.',
    answer: 'What was answered at this stage.',
    earlier_answers:
      'What was answered at earlier stages, the oldest first, each with the files that went with it.',
    'answer.state':
      '`sending`: the gateway has not confirmed it yet; `sent`; `refused`: `message` says why, and another can be given.',
    'answer.defence': 'The `code` of the defence that was chosen.',
    'answer.defence_description': 'What the gateway calls it.',
    'answer.documents':
      'The `_id` of each file that goes with it: those that its defence takes. Files of other defences are not sent.',
    'earlier_answers.stage': 'At which it was answered so.',
    'earlier_answers.defence': 'The `code` of the defence that was chosen.',
    'earlier_answers.defence_description': 'What the gateway calls it.',
    'earlier_answers.statement': 'What the issuer was told.',
    'earlier_answers.documents': 'The files as they were sent, also where others have taken their place.',
    documents: 'The files that were added to defend it.',
    history: 'What happened, oldest first.',
  },
  example,
}
