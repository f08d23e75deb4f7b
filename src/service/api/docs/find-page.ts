import type { SearchEntry } from '../../../contract/docs/search-entry.ts'
import { markup } from '../../platform/markup.ts'
import type { DocsPage } from './page-shell.ts'

/** Everything that has a name, page by page: what a browser without scripts is given in place of the search. */
export function findPage(entries: readonly SearchEntry[]): DocsPage {
  const named = entries.filter(({ kind }) => kind !== 'field')
  const linkTo = ({ href, title }: SearchEntry) => markup`<a href="${href}">${title}</a>`
  return {
    path: '/docs/find',
    title: 'Everything that has a name',
    summary: 'Pages, operations, objects, errors and events in one list.',
    parts: [],
    body: markup`<h1>Everything that has a name</h1>
${named
  .filter(({ kind }) => kind === 'page')
  .map((page) => {
    const own = named.filter(({ kind, href }) => kind !== 'page' && href.startsWith(`${page.href}#`))
    return markup`<h2>${linkTo(page)}</h2><ul class="found">${own.map((entry) => markup`<li>${linkTo(entry)}</li>`)}</ul>`
  })}`,
  }
}
