import type { Known } from './known.ts'
import { chargeQuestions, overviewQuestions, references } from './questions.ts'
import type { Questions } from './questions.ts'

/** Every list, of which there may be many rows, that the dashboard's pages and merchants' servers read. */
export function allQuestions(known: Known): Questions {
  return {
    ...chargeQuestions(known),
    ...overviewQuestions(known),
    ...checkouts(known),
    ...agreements(known),
    ...deliveries(known),
    ...audit(known),
    ...events(known),
  }
}

/** The audit log as merchants' servers read it. */
function events({ cursor, days }: Known): Questions {
  return {
    'GET /v1/events': () => '/v1/events',
    'GET /v1/events, in the middle': () => `/v1/events?cursor=${cursor}`,
    'GET /v1/events by a rare type': () => '/v1/events?type=charge.cancelled',
    'GET /v1/events of a month': () =>
      `/v1/events?created_at.from=${days.monthAgo}&created_at.to=${days.today}`,
  }
}

function checkouts({ charges, cursor, days, templates }: Known): Questions {
  const referenceOf = references(charges)
  const list = (query: string) => () => `/v1/checkouts?${query}`
  const uses =
    (template: string, query = '') =>
    () =>
      `/api/templates/${template}/checkouts?${query}`
  return {
    checkouts: list(''),
    'checkouts, in the middle': list(`cursor=${cursor}`),
    'checkouts, by a rare status': list('status=cancelled'),
    'checkouts, expired': list('status=expired'),
    'checkouts, none active': list('status=active'),
    'checkouts, by reference': (n) => `/v1/checkouts?reference=${referenceOf(n)}`,
    'checkouts, by reference and status': (n) => `/v1/checkouts?reference=${referenceOf(n)}&status=cancelled`,
    'checkouts, of a month': list(`created_at.from=${days.monthAgo}&created_at.to=${days.today}`),
    'uses of a template, all': uses(templates.customisation),
    'uses of a template, in the middle': uses(templates.configuration, `cursor=${cursor}`),
    'uses of a template, few': uses(templates.rareConfiguration),
  }
}

function agreements({ charges, cursor, days, templates }: Known): Questions {
  const referenceOf = references(charges)
  const list = (query: string) => () => `/agreements?${query}`
  return {
    agreements: list(''),
    'agreements, in the middle': list(`cursor=${cursor}`),
    'agreements, suspended': list('status=suspended'),
    'agreements, by a rare type': list('type=oneoff'),
    'agreements, common status, rare type': list('status=active&type=oneoff'),
    'agreements, rare status, rare type': list('status=suspended&type=oneoff'),
    'agreements, by reference': (n) => `/agreements?reference=${referenceOf(n)}`,
    'agreements, by a reference that none has': list('reference=none-has-this'),
    'agreements, by reference and status': (n) => `/agreements?reference=${referenceOf(n)}&status=suspended`,
    'agreements, by reference and type': (n) => `/agreements?reference=${referenceOf(n)}&type=oneoff`,
    'agreements, of a month': list(`created_at.from=${days.monthAgo}&created_at.to=${days.today}`),
    payments: () => '/api/payments',
    'payments, in the middle': () => `/api/payments?cursor=${cursor}`,
    'payments, failed': () => '/api/payments?status=failed',
    'payments, under investigation': () => '/api/payments?status=under_investigation',
    'payments, of a month': () =>
      `/api/payments?created_at.from=${days.monthAgo}&created_at.to=${days.today}`,
    'payments of an agreement': () => `/agreements/${templates.agreement}/payments`,
  }
}

function deliveries({ cursor, webhookId }: Known): Questions {
  const list = (query: string) => () => `/v1/webhooks/${webhookId}/deliveries?${query}`
  return {
    deliveries: list(''),
    'deliveries, in the middle': list(`cursor=${cursor}`),
    'deliveries, failed': list('status=failed'),
    'deliveries, failed, in the middle': list(`status=failed&cursor=${cursor}`),
    'deliveries, waiting': list('status=waiting'),
    'deliveries, delivered': list('status=delivered'),
  }
}

function audit({ charges, cursor, days }: Known): Questions {
  const list = (query: string) => () => `/api/events?${query}`
  return {
    'audit log': list(''),
    'audit log, in the middle': list(`cursor=${cursor}`),
    'audit log, by a common type': list('type=charge.captured'),
    'audit log, by a rare type': list('type=charge.cancelled'),
    'audit log, by a type that none has': list('type=merchant.renamed'),
    'audit log, by subject': (n) => `/api/events?subject=${charges[n % charges.length]?.id ?? ''}`,
    'audit log, of people': list('actor=people'),
    'audit log, of one person': list('actor=user:1'),
    'audit log, of a person that did nothing': list('actor=user:9'),
    'audit log, of a month': list(`created_at.from=${days.monthAgo}&created_at.to=${days.today}`),
    'audit log, is it intact': () => '/api/events/chain',
  }
}
