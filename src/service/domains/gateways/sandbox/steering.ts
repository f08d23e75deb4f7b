/** What the sandbox does with an operation, decided before anything is kept. */
export interface Course {
  /** Response code of ISO 8583 field 39; `00` approves. */
  code: string
  /** Where the connection breaks: before anything is sent, before it is applied, after it is applied. */
  breaks: 'never' | 'before_sending' | 'before_applying' | 'after_applying'
  /** How long it thinks before it answers. */
  delayMs: number
}

/** Nothing out of the ordinary. */
export const APPROVES: Course = { code: '00', breaks: 'never', delayMs: 0 }
const STEERED_FROM_CENTS = 900_000

/** From 9000.00 up the cents of an amount choose what happens (contract §4, sandbox gateway). */
const COURSE_BY_CENTS: Readonly<Record<number, Course>> = {
  51: { ...APPROVES, code: '51' },
  54: { ...APPROVES, code: '54' },
  59: { ...APPROVES, code: '59' },
  68: { ...APPROVES, breaks: 'after_applying' },
  69: { ...APPROVES, breaks: 'before_applying' },
  91: { ...APPROVES, breaks: 'before_sending' },
  92: { ...APPROVES, delayMs: 3000 },
}

/** The course of an amount in cents. */
export function courseOf(amount: number): Course {
  if (amount < STEERED_FROM_CENTS) return APPROVES
  return COURSE_BY_CENTS[amount % 100] ?? APPROVES
}

/** The course of a sale: a card that expires in 05/39 is declined with 05, do not honour. */
export function courseOfSale(amount: number, card: { expireMonth: number; expireYear: number }): Course {
  const isRefused = card.expireMonth === 5 && card.expireYear === 2039
  return isRefused ? { ...APPROVES, code: '05' } : courseOf(amount)
}
