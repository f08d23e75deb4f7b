import type { BrowserContext } from '@playwright/test'
import * as v from 'valibot'
import { DASHBOARD_URL } from './addresses.ts'

const Answer = v.object({
  resource: v.object({ data: v.nullable(v.object({ _id: v.optional(v.string()) })) }),
})

/** Changes something by the dashboard's API as the person who is logged in, as its pages do: the id of what was made, or ''. */
export async function changeAs(
  context: BrowserContext,
  method: 'POST' | 'PATCH',
  path: string,
  data: object,
): Promise<string> {
  const answer = await context.request.fetch(DASHBOARD_URL + path, {
    method,
    data,
    headers: { origin: DASHBOARD_URL },
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return v.parse(Answer, await answer.json()).resource.data?._id ?? ''
}

/** What an agreement says that the payer accepts at once. */
export const AGREEMENT = {
  type: 'adhoc',
  description: 'Books of a year',
  purpose: 'utility',
  debtor: {
    name: 'Ada Lovelace',
    type: 'person',
    pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
  },
  creditor: { name: 'Kestrel Books', account: { bsb: '802-985', account_number: '112233' } },
  payment_terms: { amount_type: 'variable', maximum_amount: '100.00' },
  reference: 'agreed',
}
