import type { Role } from '../../contract/dashboard/role.ts'
import type { SessionView } from '../../contract/dashboard/session-view.ts'
import { useApp } from '../app-context.ts'

/** Who is logged in, for pages behind the log-in. */
export function useView(): SessionView {
  const state = useApp().session.state.value
  if (state.kind !== 'logged_in') throw new Error('nobody is logged in')
  return state.view
}

/** What a person's role lets the pages offer. The service decides; this only spares buttons that it would refuse. */
export interface Allowed {
  /** Everything that moves money or changes settings. */
  change: boolean
  manageTeam: boolean
}

const ALLOWED: Readonly<Record<Role, Allowed>> = {
  owner: { change: true, manageTeam: true },
  developer: { change: true, manageTeam: false },
  viewer: { change: false, manageTeam: false },
}

export function useAllowed(): Allowed {
  return ALLOWED[useView().user.role]
}
