import type { SearchEntry } from '../../../contract/docs/search-entry.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { findPage } from './find-page.ts'
import { guidePages } from './guides.ts'
import type { Served } from './guides.ts'
import { homePage } from './home-page.ts'
import type { DocsPage, MenuGroup } from './page-shell.ts'
import { referencePages } from './reference-pages.ts'
import { searchEntries } from './search-entries.ts'
import { errorsPage, eventsPage } from './table-pages.ts'

interface Site {
  menu: readonly MenuGroup[]
  /** By their paths. */
  pages: ReadonlyMap<string, DocsPage>
  /** What a search finds in them. */
  searched: readonly SearchEntry[]
}

/** The documentation: guides of Markdown, and a reference made of what the routes say of themselves. */
export function docsSite(routes: readonly DescribedRoute[], served: Served): Site {
  const { guides, details } = guidePages(served)
  const menu = [
    { title: 'Guides', pages: guides },
    { title: 'Reference', pages: [...referencePages(routes, served.baseUrl), errorsPage(), eventsPage()] },
    { title: 'In detail', pages: details },
  ]
  const shown = menu.flatMap(({ pages }) => pages)
  const read = [homePage(menu, shown), ...shown]
  const searched = searchEntries(read)
  const all = [...read, findPage(searched)]
  return { menu, pages: new Map(all.map((page) => [page.path, page])), searched }
}
