export const auditTexts = {
  title: 'Audit log',
  description:
    'Who did what, and from where. Entries are chained by their hashes, so that no change goes unnoticed.',
  list: 'Entries',
  none: { title: 'Nothing yet', words: 'Changes from now on appear here.' },
  notFound: {
    title: 'No matching entry',
    words: 'Change or clear the filters.',
    clear: 'Clear filters',
  },
  columns: { type: 'What', subject: 'About', actor: 'By', facts: 'Details', from: 'From', at: 'When' },
  filters: { type: 'What', subject: 'About (id)', actor: 'By' },
  actors: {
    merchant: 'Your company',
    service: 'The service',
    debtor: 'The payer',
    card_holder: 'The card holder',
    gateway: 'The gateway',
  },
  people: 'Everybody on the dashboard',
  operator: (name: string) => `Operator ${name}`,
  chain: {
    intact: 'The chain is intact',
    broken: 'The chain is broken',
    verified: (length: string, of: string) => `${length} of ${of} entries of the whole service were checked`,
    brokenAt: (place: string) =>
      `Entry ${place} is not as it was sealed. Tell the operator of the service at once.`,
    pending: 'The first check of the chain is under way.',
  },
} as const
