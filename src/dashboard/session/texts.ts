export const sessionTexts = {
  confirm: {
    title: 'Confirm your password',
    explanation:
      'This act concerns keys or access, so we ask for your password. It is not asked for again for ten minutes.',
    password: 'Password',
    submit: 'Confirm',
    cancel: 'Cancel',
  },
} as const
