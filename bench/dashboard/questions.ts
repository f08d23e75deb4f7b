/** What is known of the rows, to ask for. */
export interface Known {
  /** Of the merchant with many charges, picked at random. */
  charges: readonly { id: string; reference: string | null; last4: string; cents: number }[]
  /** A cursor in the middle of its charges. */
  cursor: string
  /** Days: of a year ago, a month ago and now. */
  days: { yearAgo: string; monthAgo: string; today: string }
}

/** A question by its name; the n-th of its kind. */
export type Questions = Readonly<Record<string, (n: number) => string>>

/** Everything that the dashboard reads of charges and checkouts. */
export function questionsOf({ charges, cursor, days }: Known): Questions {
  const pick = (n: number) => {
    const charge = charges[n % charges.length]
    if (charge === undefined) throw new Error('there are no charges')
    return charge
  }
  const amountOf = (n: number, more = 0) => ((pick(n).cents + more) / 100).toFixed(2)
  const references = charges.flatMap(({ reference }) => (reference === null ? [] : [reference]))
  const referenceOf = (n: number) => references[n % references.length] ?? ''
  const list = (query: string) => () => `/api/charges?${query}`
  const month = `created_at.from=${days.monthAgo}&created_at.to=${days.today}`
  return {
    charges: list(''),
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
    'charges, by a scheme that none has': list('scheme=unionpay'),
    'charges, by a rare gateway': list('gateway_id=ffffffffffffffffffffffff'),
    'charges, by an exact amount': (n) => `/api/charges?amount.from=${amountOf(n)}&amount.to=${amountOf(n)}`,
    'charges, by a dollar of amounts': (n) =>
      `/api/charges?amount.from=${amountOf(n)}&amount.to=${amountOf(n, 100)}`,
    'charges, from an amount on': list('amount.from=100.00'),
    'charges, above the highest amount': list('amount.from=600.00'),
    'charges, of a month': list(month),
    'charges, common status, rare scheme': list('status=complete&scheme=diners'),
    'charges, rare status, rare scheme': list('status=cancelled&scheme=diners&amount.from=300.00'),
    'charges, status, scheme, amounts, a month': list(
      `status=failed&scheme=visa&amount.from=50.00&amount.to=90.00&${month}`,
    ),
    'search, id': (n) => `/api/charges?q=${pick(n).id}`,
    'search, reference': (n) => `/api/charges?q=${referenceOf(n)}`,
    'search, few begin so': (n) => `/api/charges?q=${referenceOf(n).slice(0, -2)}*`,
    'search, many begin so': list('q=order-'),
    'search, many begin so, all old': list('q=legacy-'),
    'search, last four digits': (n) => `/api/charges?q=${pick(n).last4}`,
    'search, last four digits and a status': (n) => `/api/charges?q=${pick(n).last4}&status=failed`,
    'search, nothing found': list('q=nothing-like-this'),
    'time line': (n) => `/api/charges/${pick(n).id}/timeline`,
    'GET /v1/charges by reference': (n) => `/v1/charges?reference=${referenceOf(n)}`,
    'GET /v1/charges by reference, none': () => '/v1/charges?reference=nothing-like-this',
    'GET /v1/charges by status': () => '/v1/charges?status=refunded',
    'GET /v1/checkouts': () => '/v1/checkouts',
    'GET /v1/checkouts by status': () => '/v1/checkouts?status=cancelled',
    'GET /v1/checkouts by reference': (n) => `/v1/checkouts?reference=${referenceOf(n)}`,
    ...overviews(days),
  }
}

function overviews({ yearAgo, monthAgo, today }: Known['days']): Questions {
  const overview =
    (from: string, zone: string, more = '') =>
    () =>
      `/api/overview?from=${from}&to=${today}&time_zone=${zone}${more}`
  return {
    'overview, today by the hour': overview(today, 'Australia/Sydney'),
    'overview, a month, Sydney': overview(monthAgo, 'Australia/Sydney'),
    'overview, a month, Kathmandu': overview(monthAgo, 'Asia/Kathmandu'),
    'overview, a year, Sydney': overview(yearAgo, 'Australia/Sydney'),
    'overview, a year, Adelaide': overview(yearAgo, 'Australia/Adelaide'),
    'overview, a year, Kathmandu': overview(yearAgo, 'Asia/Kathmandu'),
  }
}
