import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'

export const statusTexts: Readonly<Record<AgreementPaymentResource['status'], string>> = {
  received: 'Accepted',
  processing: 'On its way',
  settled: 'Settled',
  failed: 'Failed',
  under_investigation: 'Under investigation',
}

export const paymentTexts = {
  title: 'Payment',
  list: 'Payments',
  back: 'Payments',
  listWords: 'Payments of all agreements (PayTo), the newest first.',
  byDay: 'Find payments by day',
  agreementFilter: 'Agreement (id)',
  columns: {
    amount: 'Amount',
    status: 'Status',
    reference: 'Reference',
    agreement: 'Agreement',
    time: 'Time',
  },
  status: 'Status',
  last: 'The last one',
  newRows: (count: number) => (count === 1 ? '1 new payment' : `${String(count)} new payments`),
  none: {
    title: 'No payments yet',
    words: 'Payments that your server sends, and those that the service collects, appear here.',
  },
  details: 'Details',
  states: {
    received: 'The payment was accepted and will be sent to the network.',
    processing: 'The payment is on its way. The network has not reported its outcome yet.',
    settled: 'The money has arrived.',
    failed: 'No money was moved.',
    under_investigation: 'The payer’s bank is looking into this payment. It will settle or fail.',
  },
  facts: {
    reference: 'Reference',
    description: 'Description',
    agreement: 'Agreement',
    version: 'Version of the agreement',
    due: 'Collected for',
    sent: 'Sent by',
    server: 'Your server or a person',
    service: 'The service',
    created: 'Created',
    settled: 'Settled',
    updated: 'Last change',
    network: 'Network’s reference',
    id: 'Payment id',
  },
  seeAgreement: 'See the agreement',
  idLabel: 'payment id',
} as const
