export const formTexts = {
  optional: 'optional',
  refused: 'Correct what is marked, then try again.',
  required: 'Fill this in.',
  email: 'Write an e-mail address, such as grace@example.com.',
  showPassword: 'Show password',
  show: 'Show',
  hide: 'Hide',
} as const
