import type { FastifyInstance } from 'fastify'

/** Watches the routes as they are added; the result tells which methods an address would take. */
export function allowedMethodsOf(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  return (url) => {
    const path = url.replace(/[?#].*/s, '').replace(/(?<=.)\/$/, '')
    const matching = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort()
  }
}

/** `/v1/charges/:id` → what matches `/v1/charges/anything`. */
function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]+').replace('*', '.*')}$`)
}
