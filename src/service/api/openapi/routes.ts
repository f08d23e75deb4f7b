import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../platform/http/operation.ts'

/** A route as the document names it: `GET /v1/charges/{id}`. */
export interface Route {
  method: string
  path: string
  /** `resource.type` of its answers. */
  resourceType: string
  operation: Operation | undefined
}

/** HEAD and OPTIONS follow from the others. */
const DERIVED = new Set(['HEAD', 'OPTIONS'])

/** Watches the routes as they are added, so it comes before them; the list grows. */
export function watchRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    for (const one of [method].flat().filter((name) => !DERIVED.has(name))) {
      routes.push({
        method: one,
        path: url.replace(/:(\w+)/g, '{$1}'),
        resourceType: config?.resourceType ?? 'error',
        operation: config?.operation,
      })
    }
  })
  return routes
}
