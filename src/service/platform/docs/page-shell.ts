import { markup } from './markup.ts'
import type { Markup } from './markup.ts'
import style from './style.css?raw'

/** A page of the documentation; `path` is its address below the service. */
export interface DocsPage {
  path: string
  title: string
  /** In one sentence, for search engines and lists. */
  summary: string
  body: Markup
  /** Its headings, in order. */
  parts: readonly { id: string; title: string }[]
  /** Only the search page has one. */
  script?: string
}

/** Pages under a heading of the menu. */
export interface MenuGroup {
  title: string
  pages: readonly Pick<DocsPage, 'path' | 'title'>[]
}

export { style }

/** A whole document: the menu beside the page, or folded above it where there is little room. */
export function documentOf(page: DocsPage, menu: readonly MenuGroup[]): string {
  const { title, summary, body, script } = page
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Card service</title>
<meta name="description" content="${summary}">
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header><a class="brand" href="/docs">Card service <span>Documentation</span></a>
<a class="find" href="/docs/find">Find …</a></header>
<details class="folded"><summary>Menu</summary><nav aria-label="All pages, folded">${menuOf(menu, page.path)}</nav></details>
<nav class="side" aria-label="All pages">${menuOf(menu, page.path)}</nav>
<main id="page" tabindex="-1">
${body}
</main>
${contents(page)}
${script !== undefined && markup`<script type="module">${{ html: script }}</script>`}
</body>
</html>
`.html
}

function menuOf(menu: readonly MenuGroup[], current: string): Markup[] {
  return menu.map(
    ({ title, pages }) =>
      markup`<p class="group">${title}</p><ul>${pages.map(
        (page) =>
          markup`<li><a href="${page.path}"${page.path === current && { html: ' aria-current="page"' }}>${page.title}</a></li>`,
      )}</ul>`,
  )
}

/** What is on this page: shown beside it where there is room. */
function contents({ parts }: DocsPage): Markup | false {
  if (parts.length < 2) return false
  return markup`<nav class="contents" aria-label="On this page"><p class="group">On this page</p><ul>${parts.map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`
}
