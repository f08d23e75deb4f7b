import * as v from 'valibot'
import type { Role } from '../../../../contract/dashboard/people/role.ts'
import { TeamView } from '../../../../contract/dashboard/people/team.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestOptions } from '../../../testing/test-options.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { openBrowser } from './browser.ts'
import type { Browser } from './browser.ts'

/** A person who can sign in. */
export interface Person {
  email: string
  password: string
}

export interface RecordedEvent {
  type: string
  actor: string
  subject: string
  merchant_id: string
  facts: Record<string, unknown>
}

/** A whole service, with people who sign in to its dashboard. */
export interface SignInBed {
  service: TestService
  merchantId: string
  /** Invites a new person to a team, by default that of the bed's merchant. */
  addPerson: (wanted?: { role?: Role; merchantId?: string }) => Promise<Person>
  /** The token of an operator's invitation link. */
  invite: (email: string, role?: Role, merchantId?: string) => Promise<string>
  browser: (address?: string) => Browser
  /** A browser in which a person has signed in by password. */
  signedIn: (person: Person) => Promise<Browser>
  /** The events about people so far, oldest first. */
  events: () => Promise<RecordedEvent[]>
  /** Ages sessions, invitations and challenges. */
  pass: (minutes: number) => Promise<void>
}

const selectEvents = testStatement<RecordedEvent>(
  't_told_of_users',
  `SELECT type, actor, subject, merchant_id, facts FROM event_outbox
   WHERE (type LIKE 'user.%' OR type LIKE 'member.%' OR type LIKE 'invitation.%') AND type <> 'user.acted'
   ORDER BY created_at, xmin::text::bigint, cmin::text::int`,
)
const agings = [
  `UPDATE user_sessions SET created_at = created_at - $1::int * interval '1 minute',
     seen_at = seen_at - $1::int * interval '1 minute', ends_at = ends_at - $1::int * interval '1 minute',
     password_at = password_at - $1::int * interval '1 minute'`,
  "UPDATE invitations SET ends_at = ends_at - $1::int * interval '1 minute'",
  "UPDATE passkey_challenges SET ends_at = ends_at - $1::int * interval '1 minute'",
].map((sql, at) => testStatement(`t_age_${at}`, sql))

let people = 0

export async function createSignInBed(options: TestOptions = {}): Promise<SignInBed> {
  const service = await createTestService(options)
  const merchantId = service.merchant.merchant.id
  const browser = (address?: string) => openBrowser(service.dashboard.app, address)
  const invite: SignInBed['invite'] = async (email, role = 'owner', merchant = merchantId) => {
    const made = await service.users.administration.invite(merchant, email, role)
    if (typeof made === 'string') throw new Error(made)
    return made.link.split('#')[1] ?? ''
  }
  const bed: SignInBed = {
    service,
    merchantId,
    browser,
    invite,
    async addPerson({ role = 'owner', merchantId: merchant = merchantId } = {}) {
      people += 1
      const person = { email: `person-${people}@acme.example`, password: `quiet river stone ${people}` }
      const token = await invite(person.email, role, merchant)
      const accepted = await browser().post('/api/invitations/accept', {
        token,
        name: `Person ${people}`,
        password: person.password,
      })
      if (accepted.status !== 201) throw new Error(JSON.stringify(accepted.error))
      return person
    },
    async signedIn(person) {
      const page = browser()
      const { status, error } = await page.post('/api/session', person)
      if (status !== 201) throw new Error(JSON.stringify(error))
      return page
    },
    events: () => service.database.run(selectEvents, []),
    async pass(minutes) {
      for (const aging of agings) await service.database.run(aging, [minutes])
    },
  }
  return bed
}

/** The id of the person with this e-mail address in the team of the merchant in view. */
export async function memberId(page: Browser, { email }: Pick<Person, 'email'>): Promise<string> {
  const { members } = v.parse(TeamView, (await page.get('/api/team')).data)
  return members.find((member) => member.email === email)?.id ?? ''
}

const Identified = v.object({ id: v.string() })

/** The id in an answer. */
export function idIn(data: unknown): string {
  return v.parse(Identified, data).id
}
