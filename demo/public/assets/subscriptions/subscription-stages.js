const ENDED = 'Nothing more is taken from your account. You can subscribe again whenever you like.'

const PAUSES = {
  debtor: 'It was paused in your bank, where you can resume it. Nothing is taken meanwhile.',
  creditor: 'We have paused it for you, and will resume it. Nothing is taken meanwhile.',
  both: 'You have paused it in your bank, and so have we. Nothing is taken until both have resumed it.',
}

/** What each stage of a subscription means to the subscriber. `isOver`: nothing more can happen. */
const STAGES = {
  waiting: ({ answer_by: by }) => ({
    mark: 'wait',
    headline: 'Waiting for your bank',
    explanation: `Your bank asks you whether you agree. Please answer there by ${by}. Nothing is paid before you do.`,
  }),
  active: ({ next_collection: next, is_collected: isCollected }) => ({
    mark: 'good',
    headline: 'You are subscribed',
    explanation: isCollected
      ? `Your bank has agreed. ${next === null ? 'Each lamp is paid by itself.' : `The next lamp is paid by itself on ${next}.`}`
      : 'Your bank has agreed. Ask for a lamp whenever you like one.',
  }),
  suspended: ({ suspended_by: by }) => ({
    mark: 'wait',
    headline: 'Your subscription is paused',
    explanation: PAUSES[by] ?? 'Nothing is taken meanwhile.',
  }),
  declined: () => ({
    mark: 'bad',
    headline: 'Your bank says no',
    explanation: 'The agreement was declined. Nothing was taken, and nothing will be.',
    isOver: true,
  }),
  unanswered: () => ({
    mark: 'bad',
    headline: 'No answer came in time',
    explanation: 'The agreement was not answered in your bank. Nothing was taken, and nothing will be.',
    isOver: true,
  }),
  cancelled: () => ({
    mark: 'bad',
    headline: 'Your subscription has ended',
    explanation: ENDED,
    isOver: true,
  }),
  expired: () => ({
    mark: 'good',
    headline: 'Your subscription is complete',
    explanation: ENDED,
    isOver: true,
  }),
}

/** What a stage is called in the back office, and the colour of its badge. */
export const STAGE_NAMES = {
  waiting: ['waits for the payer', 'pending'],
  active: ['active', 'complete'],
  suspended: ['paused', 'pending'],
  declined: ['declined', 'failed'],
  unanswered: ['not answered', 'failed'],
  cancelled: ['ended', ''],
  expired: ['complete', ''],
}

/** Headline, explanation and mark of a subscription as it is now. */
export function stageOf(subscription) {
  const words = STAGES[subscription.stage]
  if (words) return words(subscription)
  return { mark: 'wait', headline: 'Your subscription', explanation: 'This shop cannot tell how it stands.' }
}
