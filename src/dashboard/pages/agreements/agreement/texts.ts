import { inSentence } from '../../../formats/in-sentence.ts'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'

type Entry = NonNullable<AgreementResource['history']>[number]

export const changeTexts: Readonly<Record<Entry['type'], string>> = {
  created: 'Created',
  accepted: 'Accepted',
  declined: 'Declined',
  lapsed: 'Lapsed: nobody answered in time',
  amended: 'Amended',
  amendment_requested: 'Change requested',
  amendment_declined: 'Change declined',
  amendment_lapsed: 'Change lapsed: nobody answered in time',
  suspended: 'Suspended',
  released: 'Released',
  cancelled: 'Cancelled',
  expired: 'Ended',
  collection_skipped: 'Collection skipped',
}

export const partyTexts: Readonly<Record<Entry['by'], string>> = {
  creditor: 'By you',
  debtor: 'By the payer',
  service: 'By the service',
}

export const reasonTexts: Readonly<Record<NonNullable<AgreementResource['reason_code']>, string>> = {
  customer_request: 'Requested by the customer',
  contract_ended: 'The contract has ended',
  contract_amended: 'The contract was amended',
  dispute: 'A dispute',
  fraud_suspected: 'Fraud is suspected',
  account_closed: 'The account was closed',
  payer_deceased: 'The payer has died',
  not_specified: 'No reason given',
}

export const agreementDetailTexts = {
  back: 'Agreements',
  title: 'Agreement',
  terms: 'Terms',
  history: 'History',
  details: 'Details',
  metadata: 'Metadata',
  waiting: (name: string, when: string) =>
    `${inSentence(name)} has not answered yet. Without an answer the agreement is cancelled ${when}.`,
  pending: (name: string, when: string) =>
    `${inSentence(name)} was asked to agree to a change. Without an answer it is dropped ${when}.`,
  pendingTerms: (terms: string) => `New terms: ${terms}.`,
  pendingEnd: (day: string) => `New end: ${day}.`,
  pendingMax: (count: number) => `New limit: ${String(count)} payments.`,
  suspendedByDebtor: (name: string) =>
    `${inSentence(name)} has suspended this agreement, and releases it in their bank.`,
  suspendedByCreditor: 'You have suspended this agreement. No payments can be made until you release it.',
  reason: (words: string) => `Reason: ${inSentence(words)}.`,
  fields: {
    amount: 'Amount',
    often: 'How often',
    who: 'Collection',
    first: 'First payment',
    last: 'Last payment',
    start: 'Starts',
    end: 'Ends',
    next: 'Next collection',
    max: 'Maximum payments',
    payer: 'Payer',
    payerAccount: 'Payer’s account',
    creditor: 'Paid to',
    creditorAccount: 'Your account',
    type: 'Type',
    purpose: 'Purpose',
    short: 'Short description',
    reference: 'Reference',
    version: 'Version',
    created: 'Created',
    updated: 'Last change',
    answer: 'To be answered by',
    id: 'Agreement id',
  },
  organisation: 'organisation',
  noEnd: 'No end',
  idLabel: 'agreement id',
} as const
