/** What each state of an agreement means to its payer, and which answers the payer can give in it. */
const STATES = {
  created: ({ payee, answer_by: by }) => ({
    state: 'Waits for you',
    tone: 'wait',
    headline: `${payee} asks to be paid from your account`,
    explanation: `Nothing is paid unless you approve. Please answer by ${by}; without an answer there is no agreement.`,
    answers: ['accept', 'decline'],
  }),
  active: ({ payee }) => ({
    state: 'Active',
    tone: 'good',
    headline: `You pay ${payee} from your account`,
    explanation:
      'Payments within these terms are made without asking you again. You can pause or cancel here.',
    answers: ['suspend', 'cancel'],
  }),
  suspended: ({ payee, suspended_by: by }) =>
    by === 'debtor'
      ? {
          state: 'Paused',
          tone: 'wait',
          headline: `You have paused payments to ${payee}`,
          explanation: 'Nothing is paid until you resume.',
          answers: ['release', 'cancel'],
        }
      : {
          state: 'Paused',
          tone: 'wait',
          headline: `${payee} has paused these payments`,
          explanation: `Nothing is paid until ${payee} resumes. You can still cancel.`,
          answers: ['cancel'],
        },
  cancelled: ({ payee }) => ({
    state: 'Ended',
    tone: 'bad',
    headline: `No agreement with ${payee}`,
    explanation: 'It was declined or cancelled. Nothing more is paid from your account.',
    answers: [],
  }),
  expired: ({ payee }) => ({
    state: 'Complete',
    tone: 'calm',
    headline: `Your agreement with ${payee} is complete`,
    explanation: 'It has run to its end. Nothing more is paid from your account.',
    answers: [],
  }),
}

/** Words and answers of an agreement as it is now. */
export const stateOf = (agreement) => STATES[agreement.status](agreement)

const PAYMENTS = {
  settled: ['Paid', 'good'],
  failed: ['Not paid', 'bad'],
  under_investigation: ['Being looked into', 'wait'],
}

/** What a payment's state is called, and the tone of its badge. */
export const paymentState = (status) => PAYMENTS[status] ?? [status, 'calm']
