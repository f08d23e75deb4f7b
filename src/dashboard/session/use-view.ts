import { permits } from '../../contract/dashboard/people/permission.ts'
import type { Permission } from '../../contract/dashboard/people/permission.ts'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { useApp } from '../app-context.ts'

/** Who is logged in, for pages behind the log-in. */
export function useView(): SessionView {
  const state = useApp().session.state.value
  if (state.kind !== 'logged_in') throw new Error('nobody is logged in')
  return state.view
}

/** Tells what the person's role permits. The service decides; this only spares buttons that it would refuse. */
export function usePermits(): (permission: Permission) => boolean {
  const { role } = useView().user
  return (permission) => permits(role, permission)
}
