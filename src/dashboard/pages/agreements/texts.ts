import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'

export const statusTexts: Readonly<Record<AgreementResource['status'], string>> = {
  created: 'Waiting for the payer',
  active: 'Active',
  suspended: 'Suspended',
  cancelled: 'Cancelled',
  expired: 'Ended',
}

export const typeTexts: Readonly<Record<AgreementResource['type'], string>> = {
  oneoff: 'One payment',
  recurring: 'Recurring',
  adhoc: 'As payments fall due',
}

export const agreementTexts = {
  title: 'Agreements',
  description: 'What payers have allowed you to collect from their bank accounts (PayTo), the newest first.',
  list: 'Agreements',
  search: 'Reference',
  columns: {
    description: 'Agreement',
    status: 'Status',
    terms: 'Terms',
    next: 'Next collection',
    time: 'Created',
  },
  filters: { status: 'Status', type: 'Type' },
  newRows: (count: number) => (count === 1 ? '1 new agreement' : `${String(count)} new agreements`),
  none: {
    title: 'No agreements yet',
    words:
      'An agreement appears here when your server sends POST /agreements. The payer then answers in its bank.',
  },
} as const
