/** Names of the texts of a bank's step, as in `word-names.ts`. */
export const AUTHENTICATION_WORD_NAMES = [
  'title',
  'received_card',
  'bank_page',
  'waiting',
  'slow',
  'offline',
  'unreachable',
  'blank',
  'cancel',
  'cancel_title',
  'cancel_text',
  'go_on',
  'cancel_now',
  'done',
  'failed',
  'timed_out',
  'cancelled',
  'closed',
] as const

export type AuthenticationWordName = (typeof AUTHENTICATION_WORD_NAMES)[number]
