import { describe, expect, it } from 'vitest'
import { matchRoute } from './route.ts'
import type { Route } from './route.ts'

const route = (path: string): Route => ({
  path,
  title: path,
  load: () => Promise.reject(new Error('unused')),
})
const ROUTES = ['/', '/charges', '/charges/:id', '/agreements/:id/payments'].map(route)

describe('the route of a path', () => {
  it.each([
    ['/', '/', ''],
    ['/charges', '/charges', ''],
    ['/charges/', '/charges', ''],
    ['/charges/6b01', '/charges/:id', '6b01'],
    ['/charges/a%20b%2Fc', '/charges/:id', 'a b/c'],
    ['/charges/%E0', '/charges/:id', '%E0'],
    ['/agreements/7/payments', '/agreements/:id/payments', '7'],
  ])('%s is %s', (path, pattern, id) => {
    expect(matchRoute(ROUTES, path)).toMatchObject({ route: { path: pattern }, id })
  })

  it.each(['/charge', '/charges/1/2', '/charges//', '/agreements//payments', ''])('%s has none', (path) => {
    expect(matchRoute(ROUTES, path)).toBeNull()
  })
})
