import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import * as v from 'valibot'
import { Envelope } from '../../contract/api/envelope.ts'
import type { Role } from '../../contract/dashboard/people/role.ts'
import { createTestSessions } from '../domains/dashboard/testing/signed-in.ts'
import type { TestOptions } from './test-options.ts'
import { createTestService } from './test-service.ts'
import type { TestService } from './test-service.ts'

/** A service, and a person who is signed in to its dashboard and reads there. */
export interface TestDashboard {
  service: TestService
  app: FastifyInstance
  /** `merchantId`: whose resource it is; the test service's own merchant when left out. */
  get: (url: string, merchantId?: string) => Promise<LightMyRequestResponse>
  /** The envelope's data, and the cursor of the next page; fails on any status but 200, and on data that does not fit `schema`. */
  read: <Schema extends v.GenericSchema>(
    schema: Schema,
    url: string,
    merchantId?: string,
  ) => Promise<{ data: v.InferOutput<Schema>; next: string | null }>
  /** The cookie of a new session. */
  signIn: (merchantId?: string, role?: Role) => string
  signOut: (cookie: string) => void
  close: () => Promise<void>
}

export async function createTestDashboard(options: TestOptions = {}): Promise<TestDashboard> {
  const sessions = createTestSessions()
  const service = await createTestService({ ...options, findSession: sessions.findSession })
  const { app } = service.dashboard
  const own = service.merchant.merchant.id
  const signIn: TestDashboard['signIn'] = (merchantId = own, role = 'viewer') =>
    sessions.open({ merchantId, role })
  const get: TestDashboard['get'] = (url, merchantId) =>
    app.inject({ url, headers: { cookie: signIn(merchantId) } })
  return {
    service,
    app,
    get,
    async read(schema, url, merchantId) {
      const { statusCode, body } = await get(url, merchantId)
      if (statusCode !== 200) throw new Error(`${url}: ${body}`)
      const { resource } = v.parse(Envelope, JSON.parse(body))
      return { data: v.parse(schema, resource.data), next: resource.next ?? null }
    },
    signIn,
    signOut: sessions.end,
    close: () => service.close(),
  }
}
