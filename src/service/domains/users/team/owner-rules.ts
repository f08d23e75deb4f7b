import type { Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Act } from '../user-events.ts'
import type { MemberStore } from './member-store.ts'

/** Rules on a merchant's owners while its team changes. Both methods lock the owners until the transaction ends. */
export interface OwnerRules {
  /** Throws `forbidden` where the person has stopped being an owner since the request came. */
  requireOwner: (queries: Queries, act: Act) => Promise<readonly string[]>
  /** Also throws `unfulfilled_condition` where this user is the last owner. */
  requireAnotherOwner: (queries: Queries, act: Act, userId: string) => Promise<void>
}

export function createOwnerRules(members: Pick<MemberStore, 'lockOwners'>): OwnerRules {
  const requireOwner: OwnerRules['requireOwner'] = async (queries, { session: { merchantId, user } }) => {
    const owners = await members.lockOwners(queries, merchantId)
    if (!owners.includes(user.id)) throw new ServiceError('forbidden', 'You are not an owner any more.')
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
