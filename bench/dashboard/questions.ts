import type { Known } from './known.ts'

/** Questions by name: a function that gives the address of the n-th question of that kind. */
export type Questions = Readonly<Record<string, (n: number) => string>>

/** Everything that the dashboard reads of charges. */
export function chargeQuestions({ charges, cursor, days }: Known): Questions {
  const pick = (n: number) => {
    const charge = charges[n % charges.length]
    if (charge === undefined) throw new Error('there are no charges')
    return charge
  }
  const amountOf = (n: number, more = 0) => ((pick(n).cents + more) / 100).toFixed(2)
  const referenceOf = references(charges)
  const list = (query: string) => () => `/api/charges?${query}`
  const month = `created_at.from=${days.monthAgo}&created_at.to=${days.today}`
  return {
    charges: list(''),
    'charges, a page of 100': list('limit=100'),
    'charges, a page in the middle': list(`cursor=${cursor}`),
    ...Object.fromEntries(
      ['complete', 'failed', 'refunded', 'cancelled', 'pending', 'processing'].map((status) => [
        `charges, ${status}`,
        list(`status=${status}`),
      ]),
    ),
    'charges, failed, in the middle': list(`status=failed&cursor=${cursor}`),
    'charges, by a common scheme': list('scheme=visa'),
    'charges, by a rare scheme': list('scheme=diners'),
    'charges, by a rare scheme, in the middle': list(`scheme=diners&cursor=${cursor}`),
    'charges, by a scheme that none has': list('scheme=unionpay'),
    'charges, by a rare gateway': list('gateway_id=ffffffffffffffffffffffff'),
    'charges, by an exact amount': (n) => `/api/charges?amount.from=${amountOf(n)}&amount.to=${amountOf(n)}`,
    'charges, by the amount that a third have': list('amount.from=49.90&amount.to=49.90'),
    'charges, by a dollar of amounts': (n) =>
      `/api/charges?amount.from=${amountOf(n)}&amount.to=${amountOf(n, 100)}`,
    'charges, from an amount on': list('amount.from=100.00'),
    'charges, up to an amount': list('amount.to=400.00'),
    'charges, above the highest amount': list('amount.from=600.00'),
    'charges, of a month': list(month),
    'charges, before all of them': list('created_at.to=2001-01-01'),
    'charges, common status, common scheme': list('status=complete&scheme=visa'),
    'charges, common status, rare scheme': list('status=complete&scheme=diners'),
    'charges, rare status, common scheme': list('status=pending&scheme=visa'),
    'charges, rare status, rare scheme': list('status=cancelled&scheme=diners&amount.from=300.00'),
    'charges, common status, rare scheme, old': list(`status=complete&scheme=diners&cursor=${cursor}`),
    'charges, status and amounts that none has': list('status=complete&amount.from=600.00'),
    'charges, status, scheme, amounts, a month': list(
      `status=failed&scheme=visa&amount.from=50.00&amount.to=90.00&${month}`,
    ),
    'search, id': (n) => `/api/charges?q=${pick(n).id}`,
    'search, id that none has': list('q=ffffffffffffffffffffffff'),
    'search, reference': (n) => `/api/charges?q=${referenceOf(n)}`,
    'search, few begin so': (n) => `/api/charges?q=${referenceOf(n).slice(0, -2)}*`,
    'search, all begin so': list('q=shop-'),
    'search, all begin so, by one letter': list('q=s'),
    'search, many begin so, all old': list('q=shop-old-'),
    'search, all begin so, rare scheme': list('q=shop-&scheme=diners'),
    'search, all begin so, in the middle': list(`q=shop-&cursor=${cursor}`),
    'search, last four digits': (n) => `/api/charges?q=${pick(n).last4}`,
    'search, last four digits and a status': (n) => `/api/charges?q=${pick(n).last4}&status=failed`,
    'search, nothing found': list('q=nothing-like-this'),
    'search, %': list('q=%25'),
    'search, shop_%': list('q=shop_%25'),
    'time line': (n) => `/api/charges/${pick(n).id}/timeline`,
    'GET /v1/charges/{id}': (n) => `/v1/charges/${pick(n).id}`,
    'GET /v1/charges': () => '/v1/charges',
    'GET /v1/charges by reference': (n) => `/v1/charges?reference=${referenceOf(n)}`,
    'GET /v1/charges by reference, none': () => '/v1/charges?reference=nothing-like-this',
    'GET /v1/charges by status': () => '/v1/charges?status=refunded',
  }
}

/** The references of those charges that have one. */
export function references(charges: Known['charges']): (n: number) => string {
  const all = charges.flatMap(({ reference }) => (reference === null ? [] : [reference]))
  return (n) => all[n % all.length] ?? ''
}

/** The dashboard's first page, over different times and zones. */
export function overviewQuestions({ days: { yearAgo, monthAgo, today } }: Known): Questions {
  const overview = (from: string, zone: string) => () =>
    `/api/overview?from=${from}&to=${today}&time_zone=${zone}`
  return {
    'overview, today by the hour': overview(today, 'Australia/Sydney'),
    'overview, a month, Sydney': overview(monthAgo, 'Australia/Sydney'),
    'overview, a month, Kathmandu': overview(monthAgo, 'Asia/Kathmandu'),
    'overview, a year, Sydney': overview(yearAgo, 'Australia/Sydney'),
    'overview, a year, Adelaide': overview(yearAgo, 'Australia/Adelaide'),
    'overview, a year, Kathmandu': overview(yearAgo, 'Asia/Kathmandu'),
  }
}
