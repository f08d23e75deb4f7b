import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import type { Route } from './router/route.ts'

/**
 * Every page of the dashboard, those of the menu in the menu's order. The two that most visits begin with come with the app, each
 * other one is loaded when it is first shown.
 */
export const ROUTES: readonly Route[] = [
  {
    path: '/',
    title: 'Overview',
    menu: { group: 'start', icon: 'overview' },
    readsFirst: '/api/overview',
    load: () => Promise.resolve(OverviewPage),
  },
  {
    path: '/charges',
    title: 'Charges',
    menu: { group: 'payments', icon: 'charges' },
    load: async () => (await import('./pages/charges/charges-page.tsx')).ChargesPage,
  },
  {
    path: '/charges/:id',
    title: 'Charge',
    load: async () => (await import('./pages/charges/charge/charge-page.tsx')).ChargePage,
  },
  {
    path: '/disputes',
    title: 'Disputes',
    menu: { group: 'payments', icon: 'disputes' },
    load: async () => (await import('./pages/disputes/disputes-page.tsx')).DisputesPage,
  },
  {
    path: '/disputes/:id',
    title: 'Dispute',
    load: async () => (await import('./pages/disputes/dispute/dispute-page.tsx')).DisputePage,
  },
  {
    path: '/templates',
    title: 'Templates',
    menu: { group: 'payments', icon: 'templates' },
    load: async () => (await import('./pages/templates/templates-page.tsx')).TemplatesPage,
  },
  {
    path: '/templates/new',
    title: 'New template',
    load: async () => (await import('./pages/templates/new-template-page.tsx')).NewTemplatePage,
  },
  {
    path: '/templates/:id',
    title: 'Template',
    load: async () => (await import('./pages/templates/template-page.tsx')).TemplatePage,
  },
  {
    path: '/checkouts',
    title: 'Checkouts',
    menu: { group: 'payments', icon: 'checkouts' },
    load: async () => (await import('./pages/checkouts/checkouts-page.tsx')).CheckoutsPage,
  },
  {
    path: '/checkouts/:id',
    title: 'Checkout',
    load: async () => (await import('./pages/checkouts/checkout-page.tsx')).CheckoutPage,
  },
  {
    path: '/agreements',
    title: 'Agreements',
    menu: { group: 'payments', icon: 'agreements' },
    load: async () => (await import('./pages/agreements/agreements-page.tsx')).AgreementsPage,
  },
  {
    path: '/agreements/:id',
    title: 'Agreement',
    load: async () => (await import('./pages/agreements/agreement/agreement-page.tsx')).AgreementPage,
  },
  {
    path: '/payments',
    title: 'Payments',
    menu: { group: 'payments', icon: 'payments' },
    load: async () => (await import('./pages/payments/payments-page.tsx')).PaymentsPage,
  },
  {
    path: '/payments/:id',
    title: 'Payment',
    load: async () => (await import('./pages/payments/payment-page.tsx')).PaymentPage,
  },
  {
    path: '/security',
    title: 'API and Security',
    menu: { group: 'company', icon: 'key' },
    load: async () => (await import('./pages/security/security-page.tsx')).SecurityPage,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    menu: { group: 'company', icon: 'webhooks' },
    load: async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage,
  },
  {
    path: '/webhooks/:id',
    title: 'Webhook',
    load: async () => (await import('./pages/webhooks/webhook-page.tsx')).WebhookPage,
  },
  {
    path: '/gateways',
    title: 'Gateways',
    menu: { group: 'company', icon: 'gateways' },
    load: async () => (await import('./pages/gateways/gateways-page.tsx')).GatewaysPage,
  },
  {
    path: '/gateways/new',
    title: 'Connect a gateway',
    load: async () => (await import('./pages/gateways/connect-page.tsx')).ConnectPage,
  },
  {
    path: '/gateways/:id',
    title: 'Gateway',
    load: async () => (await import('./pages/gateways/gateway-page.tsx')).GatewayPage,
  },
  {
    path: '/team',
    title: 'Team',
    menu: { group: 'company', icon: 'people' },
    load: async () => (await import('./pages/team/team-page.tsx')).TeamPage,
  },
  {
    path: '/audit',
    title: 'Audit log',
    menu: { group: 'company', icon: 'events' },
    load: async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  },
  {
    path: '/profile',
    title: 'My profile',
    load: async () => (await import('./pages/profile/profile-page.tsx')).ProfilePage,
  },
  {
    path: '/sign-in',
    title: 'Sign in',
    isPublic: true,
    load: () => Promise.resolve(SignInPage),
  },
  {
    path: '/invitation',
    title: 'Invitation',
    isPublic: true,
    load: async () => (await import('./pages/invitation/invitation-page.tsx')).InvitationPage,
  },
]
