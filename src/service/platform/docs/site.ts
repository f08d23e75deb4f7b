import type { DescribedRoute } from '../openapi/document.ts'
import { findPage } from './find-page.ts'
import { guidePages } from './guides.ts'
import type { Served } from './guides.ts'
import { homePage } from './home-page.ts'
import type { DocsPage, MenuGroup } from './page-shell.ts'
import { referencePages } from './reference-pages.ts'
import { errorsPage, eventsPage } from './table-pages.ts'

interface Site {
  menu: readonly MenuGroup[]
  /** By their paths. */
  pages: ReadonlyMap<string, DocsPage>
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
  const all = [homePage(menu, shown), ...shown, findPage(shown)]
  return { menu, pages: new Map(all.map((page) => [page.path, page])) }
}
