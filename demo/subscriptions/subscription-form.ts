import * as v from 'valibot'
import { PLANS } from './plans.ts'

const field = (words: string) => v.pipe(v.string(words), v.trim(), v.nonEmpty(words))
const digitsOf = (typed: string) => typed.replace(/[\s-]/g, '')

const common = {
  /** Names the page that was filled in: one page makes one agreement. */
  page: v.pipe(v.string(), v.uuid()),
  plan: v.picklist(PLANS, 'Choose how often a lamp comes.'),
  name: v.pipe(
    field('Enter your name as your bank knows it.'),
    v.maxLength(140, 'That is longer than banks keep: use 140 characters at most.'),
  ),
}

/** What the page of the subscription sends; its faults are sentences for the shopper. */
export const SubscriptionForm = v.variant('pay_by', [
  v.object({
    ...common,
    pay_by: v.literal('pay_id'),
    pay_id: v.pipe(
      field('Enter the e-mail address that is your PayID.'),
      v.email('That is no e-mail address. Write it like name@example.com.'),
      v.maxLength(254, 'That is longer than an e-mail address can be.'),
    ),
  }),
  v.object({
    ...common,
    pay_by: v.literal('account'),
    bsb: v.pipe(
      field('Enter the BSB of your account.'),
      v.transform(digitsOf),
      v.regex(/^\d{6}$/, 'A BSB has 6 digits, such as 802-985.'),
    ),
    account_number: v.pipe(
      field('Enter the number of your account.'),
      v.transform(digitsOf),
      v.regex(/^\d{1,9}$/, 'An account number has 1 to 9 digits.'),
    ),
  }),
])
export type SubscriptionForm = v.InferOutput<typeof SubscriptionForm>

/** The first fault of each field, in words. */
export function faultsOf(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const issue of issues) {
    const name = v.getDotPath(issue)
    if (name !== null) faults[name] ??= issue.message
  }
  return faults
}
