import type { InvitationAcceptance } from '../../../../contract/dashboard/people/team.ts'
import { isConflict } from '../../../platform/database/sql-state.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { wrongEmailOrPassword } from '../sign-in/failed-sign-in.ts'
import type { LetIn, SignedIn } from '../sign-in/let-in.ts'
import type { Caller } from '../user-events.ts'
import type { PlanAcceptance } from './acceptance.ts'
import type { Invitation, InvitationStore } from './invitation-store.ts'
import { linkNotGood } from './link-not-good.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  store: Pick<InvitationStore, 'find' | 'lock'>
  planAcceptance: PlanAcceptance
  letIn: Pick<LetIn, 'withPassword'>
}

/** What the holder of a link does with it. */
export interface Invitations {
  /** Throws `not_found` for a link that is unknown, used or expired. */
  read: (token: string) => Promise<Invitation>
  /**
   * Signs in, and joins the team as soon as every factor was given; or sets a new password after a reset. `oldToken`: what the
   * cookie holds.
   */
  accept: (request: InvitationAcceptance, caller: Caller, oldToken: string | null) => Promise<SignedIn>
}

export function createInvitations({ database, store, planAcceptance, letIn }: Parts): Invitations {
  const read: Invitations['read'] = async (token) => {
    const invitation = await store.find(token)
    if (invitation === null) throw linkNotGood()
    return invitation
  }
  return {
    read,
    async accept(request, caller, oldToken) {
      const invitation = await read(request.token)
      const { apply, ...who } = await planAcceptance({ invitation, request, caller })
      const { merchantId } = invitation
      const accepted = database.transaction(async (queries) => {
        if (!(await store.lock(queries, invitation.id))) throw linkNotGood()
        await apply(queries)
        const signedIn = await letIn.withPassword(queries, { ...who, merchantId, caller, oldToken })
        if (signedIn === null) throw wrongEmailOrPassword()
        return signedIn
      })
      return accepted.catch((error: unknown) => {
        throw isConflict(error, 'users_by_email') ? accountMeanwhile() : error
      })
    },
  }
}

/** Two links to one new person were followed at the same time, of two merchants. */
function accountMeanwhile(): ServiceError {
  const words = 'You have had an account since just now. Load this page again and give its password.'
  return new ServiceError('unfulfilled_condition', words)
}
