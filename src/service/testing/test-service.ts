import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import * as v from 'valibot'
import { ChargeResource } from '../../contract/api/charges/charge-resource.ts'
import { Envelope } from '../../contract/api/envelope.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { compose } from '../compose.ts'
import type { Service } from '../compose.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { migrate } from '../platform/database/migrate.ts'
import { migrations } from '../platform/database/migrations.ts'
import type { MadeMerchant, Merchants } from '../domains/merchants/merchants.ts'
import type { Oauth } from '../domains/oauth/domain.ts'
import type { Users } from '../domains/users/domain.ts'
import { SCOPES } from '../../contract/api/scope.ts'
import type { Scope } from '../../contract/api/scope.ts'
import type { Route } from '../api/openapi/routes.ts'
import { startMaintenance } from '../platform/maintenance.ts'
import { openTracing } from '../platform/open-tracing.ts'
import { openServiceSecrets } from '../platform/vault/service-secrets.ts'
import type { SecretsFor } from '../platform/vault/service-secrets.ts'
import { askForToken } from './ask-for-token.ts'
import { capturedLog } from './captured-log.ts'
import { cardTraceIn } from './traces.ts'
import { answersAsDescribed } from './described-answers.ts'
import { localMasterKeys } from './local-master-keys.ts'
import { createMigratedDatabase, loseTestDatabase } from './test-database.ts'
import { testCard } from './test-card.ts'
import { testRelease } from './test-release.ts'
import type { TestOptions } from './test-options.ts'
import { testStatement } from './test-statement.ts'

export interface Answer {
  status: number
  headers: LightMyRequestResponse['headers']
  body: Envelope
}

/** A whole service on its own database, called by HTTP, with access to its inner parts for tests. */
export interface TestService {
  database: Database
  app: FastifyInstance
  /** Every route, with its description. */
  routes: readonly Route[]
  dashboard: Service['dashboard']
  /** The sandbox's bank. */
  bank: Service['bank']
  merchants: Merchants
  oauth: Oauth
  users: Users
  secretsFor: SecretsFor
  /** Starts another process of the service on the same database, and returns the function that calls it. */
  startAnother: () => TestService['call']
  merchant: MadeMerchant
  makeMerchant: (settings?: { preAuth?: boolean; allowedOrigins?: string[] }) => Promise<MadeMerchant>
  /** Any request; the answer is checked to be in the envelope, and as the OpenAPI document describes it. */
  call: (options: InjectOptions) => Promise<Answer>
  raw: (options: InjectOptions) => Promise<LightMyRequestResponse>
  tokenise: (card?: object, merchant?: MadeMerchant) => Promise<string>
  authorise: (charge?: object, merchant?: MadeMerchant) => Promise<ChargeResource>
  /** A new access token of one of the merchant's clients; with all scopes when `scopes` is left out. */
  accessToken: (overrides?: { scopes?: readonly Scope[]; merchant?: MadeMerchant }) => Promise<string>
  jobs: Service['jobs']
  /** Runs a background job once, if its look says that there is work; all attempts without an outcome are made due before. */
  runJob: (name: string) => Promise<unknown>
  /** Everything that was logged so far. */
  logged: () => string
  /** Ends its connections to the database, and makes new ones impossible. */
  loseDatabase: () => Promise<void>
  close: () => Promise<void>
}

const toAsk = testStatement(
  'test_ask_now',
  `UPDATE attempts SET ask_after = now() - interval '1 second' WHERE outcome = 'open'`,
)

/** The master key of every test service that is not given another one. */
export const TEST_KEY = randomBytes(32)
export const testKeys = localMasterKeys(`test:${TEST_KEY.toString('base64')}`)

/** Tests send thousands of requests that are refused; the limit on what these may cost has tests of its own. */
const MUCH_REFUSED = { SVC_RATE_LIMIT_WASTED_WORK: '999999' }

export async function createTestService({
  settings = {},
  database: shared,
  masterKeys = testKeys,
  ...options
}: TestOptions = {}): Promise<TestService> {
  const database = shared ?? (await createMigratedDatabase())
  await migrate(database, migrations)
  const { log, logged } = capturedLog()
  const timeOfDay = await startDatabaseClock(database, monotonicClock)
  const maintenance = await startMaintenance(database)
  const secretsFor = await openServiceSecrets(database, masterKeys)
  const config = readConfig({ ...MUCH_REFUSED, ...settings })
  const version = '1.0.0'
  const clock = monotonicClock
  const tracing = await openTracing(config.tracing, { version, log, clock, timeOfDay })
  const start = () =>
    compose({
      config,
      version,
      releases: [testRelease('1.0.0')],
      dashboardFiles: null,
      previewScript: 'preview()',
      database,
      masterKeys,
      secretsFor,
      log,
      droppedLines: () => 0,
      clock,
      timeOfDay,
      maintenance,
      tracer: tracing.tracer,
      gatewayTimeoutMs: 150,
      webhookTimeoutMs: 400,
      countTimeoutMs: 5000,
      ...options,
    })
  const service = start()
  const { jobs, ...composed } = service
  return {
    database,
    ...composed,
    secretsFor,
    startAnother: () => callBy(start()),
    jobs,
    ...(await callsOf(service)),
    logged,
    runJob: (name) => runJob(database, jobs, name),
    loseDatabase: () => loseTestDatabase(database),
    async close() {
      await service.app.close()
      await service.dashboard.app.close()
      await service.bank?.close()
      await tracing.stop()
      if (shared === undefined) await database.close()
    },
  }
}

async function runJob(database: Database, jobs: Service['jobs'], name: string): Promise<unknown> {
  await database.run(toAsk, [])
  const job = jobs.find((one) => one.name === name)
  if (job === undefined) throw new Error(`there is no job ${name}`)
  const isDue = job.workCheck === undefined || (await job.workCheck()).includes(name)
  const result = isDue ? await job.work() : undefined
  await job.finish?.()
  return result
}

function callBy({ app }: Pick<Service, 'app'>): TestService['call'] {
  const check = answersAsDescribed(app)
  return async (options) => {
    const { statusCode, headers, body } = await app.inject(options)
    await check(options, statusCode, body)
    const trace = cardTraceIn(body)
    if (trace !== null) throw new Error(`an answer holds ${trace}`)
    return { status: statusCode, headers, body: v.parse(Envelope, JSON.parse(body)) }
  }
}

/** What a merchant, its page and its server can do. */
async function callsOf({ app, merchants, oauth }: Service) {
  const makeMerchant: TestService['makeMerchant'] = ({ preAuth = true, allowedOrigins = [] } = {}) =>
    merchants.make({ name: 'Test', preAuth, allowedOrigins }, () => undefined)
  const merchant = await makeMerchant()
  const raw: TestService['raw'] = (options) => app.inject(options)
  const call = callBy({ app })
  const tokenise: TestService['tokenise'] = async (card = {}, { publicKey } = merchant) => {
    const answer = await call({
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': publicKey },
      payload: { ...testCard, ...card },
    })
    return v.parse(v.string(), answer.body.resource.data)
  }
  const authorise: TestService['authorise'] = async (charge = {}, owner = merchant) => {
    const answer = await call({
      method: 'POST',
      url: '/v1/charges?capture=false',
      headers: { 'x-user-secret-key': owner.secretKey },
      payload: { amount: '10.00', currency: 'AUD', token: await tokenise({}, owner), ...charge },
    })
    return v.parse(ChargeResource, answer.body.resource.data)
  }
  const accessToken: TestService['accessToken'] = ({ scopes = SCOPES, merchant: owner = merchant } = {}) =>
    askForToken(app, oauth.clients, owner.merchant.id, scopes)
  return { makeMerchant, raw, call, tokenise, authorise, accessToken, merchant }
}
