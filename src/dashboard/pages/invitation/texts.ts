import { inSentence } from '../../formats/in-sentence.ts'
import type { Role } from '../../../contract/dashboard/people/role.ts'

export const invitationTexts = {
  title: (merchant: string) => `Join ${inSentence(merchant)}`,
  loading: 'Invitation',
  description: (email: string, role: Role) =>
    `You are invited as ${ROLE_WORDS[role]}. You will sign in as ${email}.`,
  signedInAs: (email: string) =>
    `You are signed in as ${email}. If you go on, that session ends in this browser.`,
  known: 'You already have an account here: enter its password to join.',
  name: 'Your name',
  password: 'Password',
  newPassword: 'Choose a password',
  hint: 'At least 12 characters. A few words that only you would put together work well.',
  short: 'Use at least 12 characters.',
  submit: 'Join',
  reset: {
    title: 'Choose a new password',
    description: (email: string) => `For ${email}. It ends all of your sessions.`,
    submit: 'Save and sign in',
  },
  notWhole: 'A part of this link is missing. Copy it again, up to its last character.',
  signIn: 'Go to the sign-in page',
} as const

const ROLE_WORDS = { owner: 'an owner', developer: 'a developer', viewer: 'a viewer' } as const
