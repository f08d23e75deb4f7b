import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { TeamView } from '../../../contract/dashboard/people/team.ts'
import { Button } from '../../components/actions/button.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits, useView } from '../../session/use-view.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'
import { teamTexts } from './texts.ts'

/** Who works for the merchant. Owners invite, change roles and remove; the others look. */
export function TeamPage(): VNode {
  const { merchant } = useView()
  const mayManage = usePermits()('manage_team')
  const team = useResource('/api/team', TeamView)
  const isInviting = useSignal(false)
  return (
    <>
      <PageHeader
        title={teamTexts.title}
        actions={
          mayManage && (
            <Button tone="primary" icon="plus" onClick={() => (isInviting.value = true)}>
              {teamTexts.invite}
            </Button>
          )
        }
      >
        {teamTexts.description(merchant.name)}
      </PageHeader>
      <Loaded of={team}>
        {({ members, invitations }) => (
          <>
            <MembersTable members={members} reload={team.reload} />
            <InvitationsSection invitations={invitations} reload={team.reload} />
          </>
        )}
      </Loaded>
      {isInviting.value && <InviteDialog invited={team.reload} close={() => (isInviting.value = false)} />}
    </>
  )
}
