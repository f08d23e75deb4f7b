import { bodyOf, pathOf, queryOf, rightRequest } from '../attack-requests.ts'
import type { AttackedRoute } from '../attack-requests.ts'
import type { Fixtures, Hostile, Target } from '../target.ts'
import { withText } from './text-places.ts'
import type { Place } from './text-places.ts'

/** One text in one place of a route. */
export interface NaughtyCase {
  route: AttackedRoute
  place: Place
  text: string
}

/** Any byte that HTTP lets a header's value hold; others are sent by raw-http.test.ts. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** The request with the text in that place, valid otherwise; null where HTTP can't carry the text there. */
export async function naughtyRequest(
  target: Target,
  { route, place, text }: NaughtyCase,
  fixtures: Fixtures,
): Promise<Hostile | null> {
  const right = await rightRequest(target, route, fixtures)
  const encoded = encodeURIComponent(Buffer.from(text).toString())
  switch (place.in) {
    case 'header': {
      const value = Buffer.from(text).toString('latin1')
      return headerValue.test(value) ? { ...right, headers: { ...right.headers, [place.name]: value } } : null
    }
    case 'query': {
      const before = queryOf(route) === '' ? '?' : `${queryOf(route)}&`
      return { ...right, path: `${pathOf(route, fixtures)}${before}${place.name}=${encoded}` }
    }
    case 'path': {
      const path = route.path.replace(place.name === '*' ? '*' : `{${place.name}}`, encoded)
      return { ...right, path: pathOf({ ...route, path }, fixtures) + queryOf(route) }
    }
    case 'body':
      return { ...right, body: JSON.stringify(withText(await bodyOf(target, route), place.at, text)) }
  }
}
