import type { ComponentType } from 'preact'
import type { IconName } from '../components/icon.tsx'
import type { MenuGroup } from '../shell/menu-group.ts'

/** What a page gets: the `:id` of its path; '' for a path without one. */
export interface PageProps {
  id: string
}
export type Page = ComponentType<PageProps>

/** One address of the dashboard. */
export interface Route {
  /** Such as `/charges/:id`: a path has one variable part at most, which is called `:id`. */
  path: string
  /** The document's title, and the words in the menu. */
  title: string
  /** Its place in the side navigation, if it has one. */
  menu?: { group: MenuGroup; icon: IconName }
  /** Whether the page is for people who are not signed in. */
  isPublic?: true
  /** A path of the API that the page reads first: it is asked for while the service says who is signed in. */
  readsFirst?: string
  /** Loads the page's code. */
  load: () => Promise<Page>
}

/** A route that was found for a path, with the `:id` in it. */
export interface Match {
  route: Route
  id: string
}

/** The first route whose path fits; null for none. */
export function matchRoute(routes: readonly Route[], path: string): Match | null {
  for (const route of routes) {
    const id = idIn(route.path, path)
    if (id !== null) return { route, id }
  }
  return null
}

function idIn(pattern: string, path: string): string | null {
  const expected = pattern.split('/')
  const parts = path === '/' ? ['', ''] : path.replace(/\/$/, '').split('/')
  if (expected.length !== parts.length) return null
  let id = ''
  for (const [index, part] of parts.entries()) {
    if (expected[index] === ':id' && part !== '') id = decoded(part)
    else if (expected[index] !== part) return null
  }
  return id
}

/** The text of a part of a path; as it is, where it is no valid escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
