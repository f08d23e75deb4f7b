import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { InvitationRequest, RoleChange } from '../../../../contract/dashboard/people/team.ts'
import type { MadeInvitation, TeamView } from '../../../../contract/dashboard/people/team.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { InvitationStore } from '../team/invitation-store.ts'
import type { MemberStore } from '../team/member-store.ts'
import type { Team } from '../team/team.ts'
import type { ActOf } from './act-of.ts'
import { toInvitationView, toMemberView, toNamedPerson } from './resources.ts'

export interface TeamParts {
  team: Team
  members: Pick<MemberStore, 'list' | 'people'>
  invitations: Pick<InvitationStore, 'list'>
}

const Params = v.object({ id: Identifier })

/** The routes by which a team is seen, and changed by its owners. */
export function addTeamRoutes(app: FastifyInstance, actOf: ActOf, parts: TeamParts): void {
  const { team, members, invitations } = parts
  const config = { config: { resourceType: 'team', permission: 'read' } } as const
  const byOwner = { config: { resourceType: 'team', permission: 'manage_team' } } as const

  app.get('/api/team', config, async (request, reply) => {
    const { merchantId } = actOf(request).session
    const view: TeamView = {
      members: (await members.list(merchantId)).map(toMemberView),
      invitations: (await invitations.list(merchantId)).map(toInvitationView),
    }
    return answer(reply, 200, 'team', view)
  })

  app.get('/api/people', config, async (request, reply) => {
    const { merchantId } = actOf(request).session
    return answer(reply, 200, 'person', (await members.people(merchantId)).map(toNamedPerson))
  })

  app.post('/api/team/invitations', byOwner, async (request, reply) => {
    const act = actOf(request)
    const { id, link, endsAt } = await team.invite(act, decode(InvitationRequest, request.body))
    const view: MadeInvitation = { id, link, expires_at: endsAt.toISOString() }
    return answer(reply, 201, 'team', view)
  })

  app.delete('/api/team/invitations/:id', byOwner, async (request, reply) => {
    const act = actOf(request)
    await team.revoke(act, decode(Params, request.params).id)
    return answer(reply, 200, 'team', null)
  })

  app.patch('/api/team/members/:id', byOwner, async (request, reply) => {
    const act = actOf(request)
    const { id } = decode(Params, request.params)
    await team.changeRole(act, id, decode(RoleChange, request.body).role)
    return answer(reply, 200, 'team', null)
  })

  app.delete('/api/team/members/:id', byOwner, async (request, reply) => {
    const act = actOf(request)
    await team.remove(act, decode(Params, request.params).id)
    return answer(reply, 200, 'team', null)
  })
}
