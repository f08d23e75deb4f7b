import type { Role } from '../../../contract/dashboard/role.ts'

/**
 * Who may do what in the dashboard. `read` and `change` are all that a merchant's server may do too: by its REST routes, GET
 * needs `read` and everything else `change`. `see_secrets`: keys and signing secrets, which are shown as they are made.
 */
const PERMISSIONS = {
  read: ['owner', 'developer', 'viewer'],
  change: ['owner', 'developer'],
  see_secrets: ['owner', 'developer'],
  manage_team: ['owner'],
  delete_merchant: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof PERMISSIONS

export function permits(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}
