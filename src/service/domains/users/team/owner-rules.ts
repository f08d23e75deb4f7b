import type { Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { Act } from '../user-events.ts'
import type { MemberStore } from './member-store.ts'

/** Rules on a merchant's owners while its team changes. Both methods lock the owners until the transaction ends. */
export interface OwnerRules {
  /** Throws `forbidden` where the person has stopped being an owner since the request came, `unauthorized` where the session has ended. */
  requireOwner: (queries: Queries, act: Act) => Promise<readonly string[]>
  /** Also throws `unfulfilled_condition` where this user is the last owner. */
  requireAnotherOwner: (queries: Queries, act: Act, userId: string) => Promise<void>
}

export function createOwnerRules(
  members: Pick<MemberStore, 'lockOwners'>,
  sessions: Pick<SessionChanges, 'isThere'>,
): OwnerRules {
  const requireOwner: OwnerRules['requireOwner'] = async (queries, { session }) => {
    const { merchantId, user, sessionId } = session
    const owners = await members.lockOwners(queries, merchantId)
    if (!owners.includes(user.id)) throw new ServiceError('forbidden', 'You are not an owner any more.')
    if (!(await sessions.isThere(queries, sessionId))) throw notSignedIn()
    return owners
  }
  return {
    requireOwner,
    async requireAnotherOwner(queries, act, userId) {
      const owners = await requireOwner(queries, act)
      if (owners.length === 1 && owners[0] === userId) throw lastOwner()
    },
  }
}

function lastOwner(): ServiceError {
  return new ServiceError(
    'unfulfilled_condition',
    'This is the last owner. Make somebody else an owner first.',
  )
}
