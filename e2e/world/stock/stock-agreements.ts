import * as v from 'valibot'
import type { DashboardApi } from '../dashboard-api.ts'
import { LONG_NAME, LONG_REFERENCE } from './long-texts.ts'

const CREDITOR = { name: 'Marlow & Finch', account: { bsb: '802-985', account_number: '123456789' } }
const MONTHLY = { amount_type: 'fixed', amount: '49.90', frequency: 'monthly', point_in_period: 1 }

/** Makes agreements whose debtors answer in different ways, and payments by those that were accepted. Returns some of the ids. */
export async function stockAgreements(api: DashboardApi) {
  const agreed = await agreeInEveryWay(api)
  return { ...agreed, ...(await pay(api, agreed)) }
}

async function agreeInEveryWay(api: DashboardApi) {
  const agree = (name: string, payer: string, more: object = {}) =>
    api.make('/agreements', {
      type: 'recurring',
      description: 'Lamp of the month',
      purpose: 'retail',
      debtor: { name, type: 'person', pay_id: { type: 'EMAIL', value: payer } },
      creditor: CREDITOR,
      payment_terms: MONTHLY,
      reference: `member-${name.toLowerCase().replaceAll(' ', '-')}`,
      ...more,
    })
  const adhoc = {
    type: 'adhoc',
    payment_terms: { amount_type: 'variable', maximum_amount: '500.00' },
  }
  const waiting = await agree('Grace Hopper', 'grace@example.com')
  await agree('Hedy Lamarr', 'decline@sandbox.example')
  await agree('Radia Perlman', 'pause@sandbox.example')
  await agree(LONG_NAME, 'silent@sandbox.example', {
    reference: LONG_REFERENCE,
    description: `${LONG_REFERENCE} ${LONG_REFERENCE}`,
  })
  const active = await agree('Ada Lovelace', 'approve@sandbox.example', adhoc)
  const poor = await agree('Jean Bartik', 'insufficient@sandbox.example', adhoc)
  const amending = await agree('Katherine Johnson', 'approve@sandbox.example')
  return { waiting, active, poor, amending }
}

const Status = v.object({ status: v.string() })

async function pay(
  api: DashboardApi,
  { active, poor, amending }: Awaited<ReturnType<typeof agreeInEveryWay>>,
) {
  for (const id of [active, poor, amending])
    await api.until(Status, `/agreements/${id}`, ({ status }) => status === 'active')
  const take = (id: string, amount: string, reference: string) =>
    api.make(`/agreements/${id}/payments`, { amount, reference })
  await take(active, '49.90', 'invoice-1041')
  await take(active, '120.00', LONG_REFERENCE)
  const payment = await take(active, '75.50', 'invoice-1042')
  const failedPayment = await take(poor, '300.00', 'invoice-1043')
  await api.until(Status, `/payments/${payment}`, ({ status }) => status === 'settled')
  await api.until(Status, `/payments/${failedPayment}`, ({ status }) => status === 'failed')
  await api.change('PATCH', `/agreements/${amending}`, { payment_terms: { ...MONTHLY, amount: '59.90' } })
  return { payment, failedPayment }
}
