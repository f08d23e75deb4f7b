import type {
  CheckoutResource,
  CheckoutWithJourney,
} from '../../../contract/api/checkouts/checkout-resource.ts'

type Step = CheckoutWithJourney['journey'][number]['step']

export const statusTexts: Readonly<Record<CheckoutResource['status'], string>> = {
  active: 'Open',
  completed: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

export const stepTexts: Readonly<Record<Step, string>> = {
  created: 'Created by your server',
  viewed: 'Opened by the shopper',
  payment_tried: 'Payment attempted',
  payment_failed: 'Payment failed',
  paid: 'Paid',
  expired: 'Expired without a payment',
  cancelled: 'Cancelled',
}

export const checkoutTexts = {
  title: 'Checkouts',
  description: 'Checkout intents that your server has created. Each can be paid once.',
  list: 'Checkouts',
  search: 'Reference',
  columns: {
    amount: 'Amount',
    status: 'Status',
    reference: 'Reference',
    version: 'Workflow version',
    time: 'Time',
  },
  status: 'Status',
  noReference: '—',
  newRows: (count: number) => (count === 1 ? '1 new checkout' : `${String(count)} new checkouts`),
  none: {
    title: 'No checkouts yet',
    words: 'A checkout appears here when your server sends POST /v1/checkouts/intent.',
  },
  one: {
    title: 'Checkout',
    journey: 'Journey',
    journeyWords: 'What the shopper has done, the newest first.',
    details: 'Details',
    charge: 'See the charge',
    expires: (when: string) => `A shopper can pay this checkout. It expires ${when}.`,
    facts: {
      reference: 'Reference',
      description: 'Description',
      returnUrl: 'Way back to the shop',
      version: 'Workflow version',
      created: 'Created',
      expires: 'Expires',
      release: 'SDK release for it',
      id: 'Checkout id',
    },
    idLabel: 'checkout id',
  },
  cancel: {
    button: 'Cancel checkout',
    title: 'Cancel this checkout?',
    words: (amount: string) =>
      `The shopper can’t pay these ${amount} any more, also with the page open. This can’t be undone: your server can make a new checkout.`,
    done: 'The checkout was cancelled.',
  },
} as const
