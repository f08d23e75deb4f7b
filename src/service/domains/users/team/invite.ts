import type { Role } from '../../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import { createSecret } from '../one-time-secret.ts'
import type { InvitationStore } from './invitation-store.ts'

/** An invitation that was just made; its link is shown here once and never again. */
export interface MadeInvitation {
  id: string
  link: string
  endsAt: Date
}

interface Wanted {
  merchantId: string
  email: string
  role: Role
  invitedBy?: string
  resetsUserId?: string
}

/** Makes a link that is good once, for seven days; null when there is no such merchant. */
export type Invite = (queries: Queries, wanted: Wanted) => Promise<MadeInvitation | null>

interface Parts {
  store: Pick<InvitationStore, 'add'>
  createId: CreateId
  dashboardUrl: string
}

/** The token stands behind `#`, where no server, proxy or log of one sees it. */
export const createInvite =
  ({ store, createId, dashboardUrl }: Parts): Invite =>
  async (queries, { invitedBy = null, resetsUserId = null, ...wanted }) => {
    const [id, token] = [createId(), createSecret('invitation')]
    const endsAt = await store.add(queries, { id, token, invitedBy, resetsUserId, ...wanted })
    return endsAt === null ? null : { id, link: `${dashboardUrl}/invitation#${token}`, endsAt }
  }
