export const feedbackTexts = {
  loading: 'Loading …',
  failed: 'This could not be loaded',
  retry: 'Try again',
  undo: 'Undo',
  dismiss: 'Dismiss',
  messages: 'Messages',
} as const
