import type { Queries } from '../../../platform/database/database.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { factsOf } from '../user-events.ts'
import type { Caller, AddUserEvent } from '../user-events.ts'
import type { InvitationStore } from './invitation-store.ts'
import { linkNotGood } from './link-not-good.ts'
import type { MemberStore } from './member-store.ts'

interface Joining {
  invitationId: string
  userId: string
  caller: Caller
}

/** Uses an invitation up within the transaction: its person is in the team. Throws `not_found` when it is not open any more. */
export type JoinTeam = (queries: Queries, joining: Joining) => Promise<void>

interface Parts {
  invitations: Pick<InvitationStore, 'take'>
  members: Pick<MemberStore, 'add'>
  addEvent: AddUserEvent
}

export function createJoinTeam({ invitations, members, addEvent }: Parts): JoinTeam {
  return async (queries, { invitationId, userId, caller }) => {
    const taken = await invitations.take(queries, invitationId)
    if (taken === null) throw linkNotGood()
    const { merchantId, role } = taken
    if (!(await members.add(queries, merchantId, userId, role))) return
    await addEvent(queries, {
      merchantId,
      type: 'member.joined',
      subject: userId,
      actor: actorOf({ user: { id: userId } }),
      facts: { ...factsOf(caller), invitation_id: invitationId, role },
    })
  }
}
