import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { EVENT_WORDS } from '../openapi/webhook-messages.ts'
import { findScript } from './find-script.ts'
import { markup } from './markup.ts'
import type { DocsPage } from './page-shell.ts'

/** The search page: an index of every page, heading, error and event, which its script narrows as one types. */
export function findPage(pages: readonly DocsPage[]): DocsPage {
  const entries = [
    ...pages.flatMap(({ path, title, summary, parts }) => [
      { href: path, title, kind: 'page', more: summary },
      ...parts.map((part) => ({ href: `${path}#${part.id}`, title: part.title, kind: title, more: part.id })),
    ]),
    ...Object.keys(ERROR_STATUS).map((code) => ({
      href: `/docs/errors#${code}`,
      title: code,
      kind: 'error',
      more: '',
    })),
    ...Object.entries(EVENT_WORDS).map(([type, words]) => ({
      href: `/docs/events#${type}`,
      title: type,
      kind: 'event',
      more: words,
    })),
  ]
  return {
    path: '/docs/find',
    title: 'Find',
    summary: 'Everything that has a name, in one list.',
    parts: [],
    script: findScript,
    body: markup`<h1>Find</h1>
<p data-search hidden><label>Words of what you look for <input type="search" autofocus></label></p>
<p role="status"></p>
<ul class="found">${entries.map(
      ({ href, title, kind, more }) =>
        markup`<li data-more="${more.toLowerCase()}"><a href="${href}">${title}</a> <span class="kind">${kind}</span></li>`,
    )}</ul>`,
  }
}
