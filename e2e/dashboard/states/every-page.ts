import type { Stock } from '../../world/stocked-world.ts'

/** A page of somebody who is signed in. */
export interface DashboardPage {
  name: string
  path: string
  /** The page's first heading once its data is loaded. */
  title: string | RegExp
  /** Whether another page has the same parts; such a page is left to `npm run e2e:all`. */
  isLikeOther?: true
}

/** The pages that every merchant has. */
export const OWN_PAGES: readonly DashboardPage[] = [
  { name: 'overview', path: '/', title: 'Overview' },
  { name: 'charges', path: '/charges', title: 'Charges' },
  { name: 'disputes', path: '/disputes', title: 'Disputes' },
  { name: 'configurations', path: '/templates', title: 'Templates' },
  { name: 'customisations', path: '/templates?type=customisation', title: 'Templates' },
  { name: 'checkouts', path: '/checkouts', title: 'Checkouts' },
  { name: 'agreements', path: '/agreements', title: 'Agreements' },
  { name: 'payments', path: '/payments', title: 'Payments' },
  { name: 'security', path: '/security', title: 'API and Security' },
  { name: 'webhooks', path: '/webhooks', title: 'Webhooks' },
  { name: 'gateways', path: '/gateways', title: 'Gateways' },
  { name: 'team', path: '/team', title: 'Team' },
  { name: 'audit', path: '/audit', title: 'Audit log' },
  { name: 'profile', path: '/profile', title: 'My profile' },
]

/** The pages of single things, and of lists in which the filters find nothing. */
export function pagesOf(stock: Stock): readonly DashboardPage[] {
  return [
    { name: 'charge-captured', path: `/charges/${stock.captured}`, title: /189\.00/ },
    { name: 'charge-held', path: `/charges/${stock.held}`, title: /320\.00/ },
    { name: 'charge-disputed', path: `/charges/${stock.disputed}`, title: /9,000\.44/ },
    { name: 'dispute', path: `/disputes/${stock.dispute}`, title: /9,000\.44/ },
    { name: 'dispute-ended', path: `/disputes/${stock.endedDispute}`, title: /9,000\.42/ },
    { name: 'charge-failed', path: `/charges/${stock.failed}`, title: /9,000\.51/, isLikeOther: true },
    { name: 'charge-long', path: `/charges/${stock.long}`, title: /9,999,999\.00/, isLikeOther: true },
    { name: 'charge-at-bank', path: `/charges/${stock.atBank}`, title: /At the bank/ },
    { name: 'charge-authenticated', path: `/charges/${stock.passed}`, title: /49\.95/ },
    { name: 'charge-gave-up', path: `/charges/${stock.gaveUp}`, title: /Not authenticated/ },
    {
      name: 'charge-not-confirmed',
      path: `/charges/${stock.notConfirmed}`,
      title: /49\.95/,
      isLikeOther: true,
    },
    { name: 'charge-unasked', path: `/charges/${stock.unasked}`, title: /49\.95/, isLikeOther: true },
    { name: 'charges-nothing-fits', path: '/charges?q=nothing', title: 'Charges' },
    { name: 'configuration', path: `/templates/${stock.configuration}`, title: /Wholesale/ },
    { name: 'customisation', path: `/templates/${stock.customisation}`, title: 'Marlow & Finch' },
    { name: 'new-configuration', path: '/templates/new', title: 'New configuration' },
    {
      name: 'copy',
      path: `/templates/new?from=${stock.configuration}&version=2`,
      title: /^Copy of Wholesale/,
    },
    { name: 'checkout', path: `/checkouts/${stock.checkout}`, title: /189\.00/ },
    { name: 'agreement', path: `/agreements/${stock.active}`, title: /Lamp of the month/ },
    {
      name: 'agreement-waiting',
      path: `/agreements/${stock.waiting}`,
      title: /Lamp of the month/,
      isLikeOther: true,
    },
    {
      name: 'agreement-amended',
      path: `/agreements/${stock.amending}`,
      title: /Lamp of the month/,
      isLikeOther: true,
    },
    { name: 'payment', path: `/payments/${stock.payment}`, title: /75\.50/ },
    { name: 'payment-failed', path: `/payments/${stock.failedPayment}`, title: /300\.00/, isLikeOther: true },
    { name: 'webhook', path: `/webhooks/${stock.webhook}`, title: /localhost/ },
    { name: 'connect-gateway', path: '/gateways/new', title: 'Connect a gateway' },
    { name: 'gateway', path: `/gateways/${stock.gateway}`, title: /Adyen, Sydney/ },
    { name: 'nowhere', path: '/nowhere', title: 'There is no such page' },
    { name: 'unknown-charge', path: `/charges/${'0'.repeat(24)}`, title: 'Charge', isLikeOther: true },
  ]
}
