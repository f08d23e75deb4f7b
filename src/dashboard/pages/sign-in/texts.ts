export const signInTexts = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  or: 'or',
  passkey: 'Sign in with a passkey',
  help: 'No account, or a forgotten password? An owner of your merchant can send you a link.',
  stopped: 'The passkey was not used. Try again, or sign in another way.',
  second: {
    totp: {
      title: 'Enter the code',
      description: 'Open your authenticator app and write the six digits that it shows for this dashboard.',
      label: 'Code',
      submit: 'Continue',
    },
    recovery_code: {
      title: 'Enter a recovery code',
      description:
        'One of the ten codes that you were given when you set up your second factor. Each works once.',
      label: 'Recovery code',
      submit: 'Continue',
    },
    passkey: {
      title: 'Use your passkey',
      description: 'Your device will ask for your finger, face, PIN or security key.',
      submit: 'Use passkey',
    },
  },
  others: {
    totp: 'Use your authenticator app',
    recovery_code: 'Use a recovery code',
    passkey: 'Use a passkey',
  },
  startAgain: 'Start again',
} as const
