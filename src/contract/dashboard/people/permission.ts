import type { Role } from './role.ts'

/**
 * Who may do what on the dashboard. `read` and `change` are all that a merchant's server may do too: by its REST routes, GET
 * needs `read` and everything else `change`. `see_secrets`: keys and signing secrets, which are shown as they are made.
 * `own_account`: one's own password, second factors and sessions.
 */
export const PERMISSIONS = {
  read: ['owner', 'developer', 'viewer'],
  change: ['owner', 'developer'],
  see_secrets: ['owner', 'developer'],
  manage_team: ['owner'],
  own_account: ['owner', 'developer', 'viewer'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof PERMISSIONS

/** Whether a role may do it. */
export function permits(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}
