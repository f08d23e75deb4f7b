import { permits } from '../../contract/dashboard/people/permission.ts'
import type { Permission } from '../../contract/dashboard/people/permission.ts'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { useApp } from '../app-context.ts'

/** Who is signed in, for pages behind the sign-in. */
export function useView(): SessionView {
  const state = useApp().session.state.value
  if (state.kind !== 'signed_in') throw new Error('nobody is signed in')
  return state.view
}

/** Whether the person's role permits something. The service decides; this only hides buttons that it would refuse. */
export function usePermits(): (permission: Permission) => boolean {
  const { role } = useView().user
  return (permission) => permits(role, permission)
}
