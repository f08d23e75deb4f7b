import type { FastifyInstance } from 'fastify'
import { agreementsDomain } from './domains/agreements/domain.ts'
import { auditDomain } from './domains/audit/domain.ts'
import { chargesDomain } from './domains/charges/domain.ts'
import { checkoutsDomain } from './domains/checkouts/domain.ts'
import { dashboardDomain } from './domains/dashboard/domain.ts'
import { createDashboardApp } from './domains/dashboard/dashboard-app.ts'
import type { DashboardApp } from './domains/dashboard/dashboard-app.ts'
import type { DashboardFiles } from './domains/dashboard/dashboard-files.ts'
import { disputesDomain } from './domains/disputes/domain.ts'
import { gatewaysDomain } from './domains/gateways/domain.ts'
import type { Gateway } from './domains/gateways/gateway.ts'
import { merchantsDomain } from './domains/merchants/domain.ts'
import type { Merchants } from './domains/merchants/merchants.ts'
import { notificationsDomain } from './domains/notifications/domain.ts'
import { oauthDomain } from './domains/oauth/domain.ts'
import type { Oauth } from './domains/oauth/domain.ts'
import { overviewDomain } from './domains/overview/domain.ts'
import { networkDomain } from './domains/payment-network/domain.ts'
import type { PaymentNetwork } from './domains/payment-network/payment-network.ts'
import { paymentSourcesDomain } from './domains/payment-sources/domain.ts'
import { sdkReleasesDomain } from './domains/sdk-releases/domain.ts'
import type { Release } from './domains/sdk-releases/release.ts'
import { usersDomain } from './domains/users/domain.ts'
import type { Users } from './domains/users/domain.ts'
import { addDeliveries } from './domains/webhooks/delivery-store.ts'
import { webhooksDomain } from './domains/webhooks/domain.ts'
import type { FindSession } from './platform/http/callers/session.ts'
import { createGuardedApps } from './api/guarded-apps.ts'
import { createPlatformApp } from './api/platform-app.ts'
import type { Job } from './platform/jobs/job.ts'
import type { Route } from './api/openapi/routes.ts'
import { createPlatform } from './platform/platform.ts'
import type { Platform, Resources } from './platform/platform.ts'

/** The service, put together and not yet listening. */
export interface Service {
  app: FastifyInstance
  /** Every route of `app`, with its description for the OpenAPI document. */
  routes: readonly Route[]
  /** The dashboard, which listens at an origin of its own. */
  dashboard: Pick<DashboardApp, 'app' | 'routes'>
  /** The sandbox's bank, which listens at an origin of its own; null where it is not served. */
  bank: FastifyInstance | null
  merchants: Merchants
  oauth: Oauth
  users: Users
  /** Background jobs, each repeated until the service stops. */
  jobs: readonly Job[]
  /** From now on `/health` says that this process is about to stop. */
  announceStop: () => void
}

interface Parts extends Resources {
  /** Every SDK release that is served. */
  releases: readonly Release[]
  /** Null where the dashboard was not built. */
  dashboardFiles: DashboardFiles | null
  /** What runs in the document that previews the card form; null where it was not built. */
  previewScript: string | null
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  gateways?: Readonly<Record<string, Gateway>>
  /** The network that agreements are paid by, in place of the sandbox. */
  network?: PaymentNetwork
  // Set by tests alone; each is described, and has its default, where it is used.
  findSession?: FindSession
  gatewayTimeoutMs?: number
  networkTimeoutMs?: number
  settleMs?: number
  webhookTimeoutMs?: number
  countTimeoutMs?: number
}

/** The composition root: the one place where every domain meets every other. It only wires. */
export function compose(parts: Parts): Service {
  const platform = createPlatform(parts)
  const { all: domains, gateways, merchants, oauth, users } = composeDomains(platform, parts)
  const apps = createGuardedApps(platform, parts.countTimeoutMs)
  const { app, routes, access, announceStop } = createPlatformApp(platform, {
    apps,
    merchantKeys: merchants.keys,
    verifyAccessToken: oauth.verifyAccessToken,
    version: parts.version,
    checks: Object.fromEntries(domains.flatMap((domain) => Object.entries(domain.checks ?? {}))),
  })
  const dashboard = createDashboardApp(platform, {
    apps,
    findSession: parts.findSession ?? users.findSession,
    recheckSession: parts.findSession ?? users.recheckSession,
    readMerchant: merchants.read,
  })
  for (const { addMerchantRoutes, addRoutes, addDashboardRoutes } of domains) {
    addMerchantRoutes?.(app, access)
    addRoutes(app, access)
    addMerchantRoutes?.(dashboard.app, dashboard.merchantAccess)
    addDashboardRoutes?.(dashboard.app, dashboard.access)
  }
  const bank = gateways.addBankRoutes === null ? null : apps.create()
  if (bank !== null) gateways.addBankRoutes?.(bank)
  const jobs = [...domains.flatMap((domain) => domain.jobs), ...apps.jobs]
  const watched = jobs.map(platform.metrics.watchJob)
  return { app, routes, dashboard, bank, merchants, oauth, users, jobs: watched, announceStop }
}

/** Every domain, with what it needs of the others. */
function composeDomains(platform: Platform, parts: Parts) {
  const { releases, gatewayTimeoutMs, settleMs, webhookTimeoutMs, countTimeoutMs } = parts
  const audit = auditDomain(platform, { onSealed: addDeliveries })
  const sealedLength = async () => (await audit.api.head()).length
  const merchants = merchantsDomain(platform)
  const oauth = oauthDomain(platform)
  const users = usersDomain(platform, { countTimeoutMs })
  const { gatewayOf, credentialsOf } = merchants.api
  const gateways = gatewaysDomain(platform, {
    credentialsOf,
    adapters: parts.gateways,
    settleMs,
    // Called by a job only, when the notifications below are there.
    keepSandboxNews: ({ account, news }) => notifications.api.keep(account, news),
  })
  const paymentSources = paymentSourcesDomain(platform, {
    gatewayOf,
    // Called by requests only, when the checkouts below are there. They and their cards need one another.
    checkoutOf: (credentials) => checkouts.api.tokeniserOf(credentials),
  })
  const charges = chargesDomain(platform, {
    ...paymentSources.api,
    gatewayOf,
    adapterOf: gateways.api.adapterOf,
    sealedLength,
    // Called by requests only, when the webhooks below are there.
    webhooksAbout: (...about) => webhooks.api.about(...about),
    gatewayTimeoutMs,
  })
  const { disputes, notifications } = composeNews(platform, gateways.api, charges.api, merchants.api)
  const sdkReleases = sdkReleasesDomain(platform, {
    releases,
    previewScript: parts.previewScript,
    merchants: merchants.api,
    viewOf: (intentId) => checkouts.api.viewOf(intentId),
    merchantOfAuthentication: charges.api.merchantOfAuthentication,
  })
  const checkouts = checkoutsDomain(platform, {
    ...paymentSources.api,
    ...charges.api,
    ...sdkReleases.api,
    merchants: merchants.api,
  })
  const { network, agreements } = composeAgreements(platform, parts)
  const told = { charges, disputes, notifications, checkouts, agreements }
  const { webhooks, overview } = composeReports(platform, { ...told, users, sealedLength, webhookTimeoutMs })
  const dashboard = composeDashboard(platform, parts, { merchants, oauth, gateways, audit, sdkReleases })
  const cards = [paymentSources, charges, disputes, notifications, checkouts, sdkReleases]
  const people = [merchants, oauth, users]
  const others = [network, agreements, webhooks, audit, overview, dashboard]
  const all = [...people, gateways, ...cards, ...others]
  return { all, gateways: gateways.api, merchants: merchants.api, oauth: oauth.api, users: users.api }
}

/** What gateways tell of their own accord, and the disputes that come of it. */
function composeNews(
  platform: Platform,
  gateways: ReturnType<typeof gatewaysDomain>['api'],
  charges: ReturnType<typeof chargesDomain>['api'],
  merchants: Merchants,
) {
  const disputes = disputesDomain(platform, {
    adapterOf: gateways.adapterOf,
    canAnswer: gateways.canAnswerDisputes,
    chargeOfNews: charges.chargeOfNews,
    lockCharge: charges.lockForDisputes,
    keepSums: charges.keepDisputeSums,
  })
  const notifications = notificationsDomain(platform, {
    adapterOf: gateways.adapterOf,
    hearNews: (by, news) =>
      news.says.kind === 'dispute' ? disputes.api.hear(by, news, news.says) : charges.hearNews(by, news),
    gatewaysOf: merchants.gateways,
    setupOf: gateways.setupOf,
  })
  return { disputes, notifications }
}

interface Reported {
  charges: ReturnType<typeof chargesDomain>
  disputes: ReturnType<typeof disputesDomain>
  notifications: ReturnType<typeof notificationsDomain>
  checkouts: ReturnType<typeof checkoutsDomain>
  agreements: ReturnType<typeof agreementsDomain>
  users: ReturnType<typeof usersDomain>
  sealedLength: () => Promise<number>
  webhookTimeoutMs: number | undefined
}

/** What merchants are told: by webhooks, and by the overview. */
function composeReports(platform: Platform, reported: Reported) {
  const { charges, disputes, notifications, checkouts, agreements, users, ...settings } = reported
  const webhooks = webhooksDomain(platform, {
    resourcesAsOf: {
      charge: charges.api.asOfEvent,
      dispute: disputes.api.asOfEvent,
      checkout: checkouts.api.asOfEvent,
      ...agreements.api.asOfEvents,
    },
    webhookTimeoutMs: settings.webhookTimeoutMs,
  })
  const overview = overviewDomain(platform, {
    timeZoneOf: users.api.timeZoneOf,
    tallies: charges.api.tallies,
    needs: [
      disputes.api.toAnswer,
      charges.api.toAttend,
      notifications.api.toSee,
      webhooks.api.failing,
      agreements.api.suspended,
    ],
    sealedLength: settings.sealedLength,
  })
  return { webhooks, overview }
}

interface OfCompany {
  merchants: ReturnType<typeof merchantsDomain>
  oauth: ReturnType<typeof oauthDomain>
  gateways: ReturnType<typeof gatewaysDomain>
  audit: ReturnType<typeof auditDomain>
  sdkReleases: ReturnType<typeof sdkReleasesDomain>
}

/** The dashboard's own routes: its pages, and what a company sets there. */
function composeDashboard(
  { config }: Platform,
  { dashboardFiles }: Pick<Parts, 'dashboardFiles'>,
  { merchants, oauth, gateways, audit, sdkReleases }: OfCompany,
) {
  return dashboardDomain({
    files: dashboardFiles,
    widgetUrl: config.widgetUrl,
    merchants: merchants.api,
    clients: {
      list: oauth.api.clients.list,
      inNameOf: oauth.api.clientsInNameOf,
      externalIssuer: config.oauthIssuer,
    },
    gateways: gateways.api,
    events: audit.api,
    pciKit: sdkReleases.api.pciKit,
  })
}

/** Agreements, and the network that they are paid by. */
function composeAgreements(platform: Platform, parts: Pick<Parts, 'network' | 'networkTimeoutMs'>) {
  const network = networkDomain(platform, { adapter: parts.network, timeoutMs: parts.networkTimeoutMs })
  const agreements = agreementsDomain(platform, network.api)
  return { network, agreements }
}
