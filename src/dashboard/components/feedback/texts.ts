export const feedbackTexts = {
  loading: 'Loading …',
  failed: 'This could not be loaded',
  wrongAddress: 'The address of this page, or one of its filters, is not right. Change it, or go back.',
  retry: 'Try again',
  undo: 'Undo',
  dismiss: 'Dismiss',
  messages: 'Messages',
} as const
