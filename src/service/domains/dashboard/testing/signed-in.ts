import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { Envelope } from '../../../../contract/api/envelope.ts'
import type { Role } from '../../../../contract/dashboard/people/role.ts'
import type { FindSession, Session } from '../../../platform/http/callers/session.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'

export const DASHBOARD = 'http://localhost:8070'
const COOKIE = 'svc_session'

/** Sessions that a test opens and ends as it likes, without signing in. */
export interface TestSessions {
  findSession: FindSession
  /** Opens a session, and returns its cookie. */
  open: (session: { merchantId: string; role?: Role; isFresh?: boolean }) => string
  end: (cookie: string) => void
  change: (cookie: string, change: Partial<Pick<Session, 'merchantId' | 'role'>>) => void
  /** Calls back when a request looks up its session. */
  onFound: (found: () => void) => void
}

export function createTestSessions(): TestSessions {
  const sessions = new Map<string, Session>()
  let whenFound = (): void => undefined
  return {
    findSession({ headers }) {
      whenFound()
      return Promise.resolve(sessions.get(headers.cookie ?? '') ?? null)
    },
    open({ merchantId, role = 'owner', isFresh = true }) {
      const number = String(sessions.size + 1).padStart(24, '0')
      const cookie = `${COOKIE}=${number}`
      const user = { id: number, email: `${number}@shop.example`, name: 'Ada' }
      const freshUntil = isFresh ? new Date('2100-01-01') : null
      sessions.set(cookie, { sessionId: number, user, merchantId, role, freshUntil })
      return cookie
    },
    end: (cookie) => void sessions.delete(cookie),
    change(cookie, change) {
      const session = sessions.get(cookie)
      if (session !== undefined) sessions.set(cookie, { ...session, ...change })
    },
    onFound(found) {
      whenFound = found
    },
  }
}

/** The headers that a page of the dashboard sends with a request that changes something. */
export const ownPage = { origin: DASHBOARD, 'sec-fetch-site': 'same-origin' }

/** A request of a page of the dashboard. Its answer must have the envelope's form. */
export type AskDashboard = (cookie: string, options: InjectOptions) => Promise<Answer>

/** Stands in for the body if the answer is a file. */
const FILE: v.InferOutput<typeof Envelope> = {
  status: 200,
  error: null,
  resource: { type: 'file', data: null },
}
const isEnvelope = (headers: Record<string, unknown>) =>
  String(headers['content-type']).startsWith('application/json')

export function asking({ dashboard: { app } }: Pick<TestService, 'dashboard'>): AskDashboard {
  return async (cookie, { headers, ...options }) => {
    const isJson = options.method !== undefined && options.method !== 'GET' && options.method !== 'DELETE'
    const answer = await app.inject({
      ...options,
      headers: {
        cookie,
        ...ownPage,
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isEnvelope(answer.headers) ? v.parse(Envelope, JSON.parse(answer.body)) : FILE,
    }
  }
}
