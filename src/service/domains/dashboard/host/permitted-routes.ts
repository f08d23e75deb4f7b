import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Permission } from '../../../../contract/dashboard/people/permission.ts'
import { isSafe } from './refuse-forged-requests.ts'

/** A route of the dashboard, and what it asks of a person. */
export interface PermittedRoute {
  method: string
  /** As `/v1/charges/:id`. */
  path: string
  permission: Permission | 'none'
  needsFreshPassword: boolean
}

/** HEAD follows from GET. */
const DERIVED = new Set(['HEAD', 'OPTIONS'])

/**
 * Watches the routes as they are added, so it comes before them; the list grows. A route of the dashboard's own that names no
 * permission ends the start, so that none is open by oversight.
 */
export function watchPermissions(app: FastifyInstance): readonly PermittedRoute[] {
  const routes: PermittedRoute[] = []
  app.addHook('onRoute', ({ url, method, config = {} }) => {
    if (config.permission === undefined && config.operation === undefined)
      throw new Error(`the route ${url} of the dashboard names no permission`)
    for (const one of [method].flat().filter((name) => !DERIVED.has(name))) {
      const needsFreshPassword = config.needsFreshPassword === true
      routes.push({ method: one, path: url, permission: permissionOf(one, config), needsFreshPassword })
    }
  })
  return routes
}

/** The routes of a merchant's server name no permission: to look is to `read`, and all else is to `change`. */
export function permissionOf(
  method: string,
  { permission }: Pick<FastifyContextConfig, 'permission'>,
): Permission | 'none' {
  return permission ?? (isSafe(method) ? 'read' : 'change')
}
