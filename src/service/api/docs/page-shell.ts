import { markup } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'
import style from './style.css?raw'

/** A page of the documentation; `path` is its address below the service. */
export interface DocsPage {
  path: string
  title: string
  /** In one sentence, for search engines and lists. */
  summary: string
  body: Markup
  /** Its headings, in order. */
  parts: readonly { id: string; title: string; method?: string }[]
}

/** Pages under a heading of the menu. */
export interface MenuGroup {
  title: string
  pages: readonly Pick<DocsPage, 'path' | 'title'>[]
}

export { style }

/** Where the script of the pages is, and what it searches. */
export const SCRIPT_PATH = '/docs/docs.js'
export const SEARCH_ENTRIES_PATH = '/docs/search.json'

/** A whole document: the menu beside the page, or folded into its header where there is little room. `integrity` is that of its script. */
export function documentOf(page: DocsPage, menu: readonly MenuGroup[], integrity: string): string {
  const { title, summary, body } = page
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Card service</title>
<meta name="description" content="${summary}">
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
<script src="${SCRIPT_PATH}" integrity="${integrity}" crossorigin="anonymous" defer></script>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header><a class="brand" href="/docs">Card service <span>Documentation</span></a>
<a class="find" href="/docs/find">Search</a>
<details class="folded"><summary>Menu</summary><nav aria-label="All pages, folded">${menuOf(menu, page)}</nav></details></header>
<nav class="side" aria-label="All pages">${menuOf(menu, page)}</nav>
<main id="page" tabindex="-1">
${body}
</main>
${!isReference(page) && contents(page)}
</body>
</html>
`.html
}

/** The operations and objects of a resource stand in the menu below it, so that one goes from any to any other. */
const isReference = ({ path }: DocsPage): boolean => path.startsWith('/docs/reference/')

function menuOf(menu: readonly MenuGroup[], current: DocsPage): Markup[] {
  const inner = current.parts.length > 1 && partsOf(current)
  return menu.map(
    ({ title, pages }) =>
      markup`<p class="group">${title}</p><ul>${pages.map(({ path, title: name }) =>
        path === current.path
          ? markup`<li><a href="${path}" aria-current="page">${name}</a>${inner}</li>`
          : markup`<li><a href="${path}">${name}</a></li>`,
      )}</ul>`,
  )
}

/** The parts of the page that is shown. A guide's parts stand beside it on wide screens, and here on narrow ones. */
function partsOf(page: DocsPage): Markup {
  return markup`<ul class="parts${!isReference(page) && ' narrow'}">${page.parts.map(
    ({ id, title, method }) =>
      markup`<li><a href="#${id}">${title}${method !== undefined && markup` <span class="method ${method.toLowerCase()}">${method}</span>`}</a></li>`,
  )}</ul>`
}

/** What is on this page: shown beside it where there is room. */
function contents({ parts }: DocsPage): Markup | false {
  if (parts.length < 2) return false
  return markup`<nav class="contents" aria-label="On this page"><p class="group">On this page</p><ul>${parts.map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`
}
