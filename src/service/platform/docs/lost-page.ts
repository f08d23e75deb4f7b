import { markup } from './markup.ts'
import type { DocsPage } from './page-shell.ts'

/** What stands at an address of the documentation that has no page. */
export const lostPage: DocsPage = {
  path: '',
  title: 'There is no such page',
  summary: 'Nothing is at this address.',
  parts: [],
  body: markup`<h1>There is no such page</h1>
<p class="lead">The address may be mistyped, or the page has another one now.</p>
<p><a href="/docs">See all pages</a>, or <a href="/docs/find">find</a> what you look for.</p>`,
}
