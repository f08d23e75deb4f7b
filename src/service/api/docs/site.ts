import type { SearchEntry } from '../../../contract/docs/search-entry.ts'
import { markup } from '../../platform/markup.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { guidePages } from './guides.ts'
import type { Served } from './guides.ts'
import type { DocsPage, MenuGroup } from './page-shell.ts'
import { referencePages, errorsPage, eventsPage } from './reference-pages.ts'

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

/** What a reader comes for most, and where it is. */
const QUESTIONS = [
  ['How do I take a first payment?', '/docs/guides/first-payment'],
  ['How do I authorise, and capture later?', '/docs/reference/charges#createCharge'],
  ['What does each field mean?', '/docs/reference/charges#object-Charge'],
  ['What do I do with each error?', '/docs/errors'],
  ['How do I test?', '/docs/guides/testing'],
  ['How do I verify a webhook?', '/docs/guides/webhooks#receiving'],
  ['What must I do to go live?', '/docs/guides/going-live'],
  ['What do I owe PCI DSS?', '/docs/guides/pci-dss'],
] as const

/** The page at `/docs`: the questions that are asked most, then everything. */
function homePage(menu: readonly MenuGroup[], pages: readonly DocsPage[]): DocsPage {
  const summaryOf = (path: string) => pages.find((page) => page.path === path)?.summary
  return {
    path: '/docs',
    title: 'Documentation',
    summary: 'How to take cards with this service: guides, and every operation.',
    parts: [],
    body: markup`<h1>Take cards without touching them</h1>
<p class="lead">A card form of this service stands in your page and hands back a one-time token. Your server charges it: hold the
funds, take them, release them, give them back.</p>
<ul class="questions">${QUESTIONS.map(([question, path]) => markup`<li><a href="${path}">${question}</a></li>`)}</ul>
${menu.map(
  ({ title, pages: own }) =>
    markup`<h2>${title}</h2><dl class="pages" data-unsearched>${own.map(
      (page) =>
        markup`<div><dt><a href="${page.path}">${page.title}</a></dt><dd>${summaryOf(page.path)}</dd></div>`,
    )}</dl>`,
)}
<h2>For machines</h2>
<p><a href="/openapi.json">openapi.json</a>: OpenAPI 3.1, with every operation, field, error and webhook.</p>`,
  }
}

/** Everything that has a name, page by page: what a browser without scripts is given in place of the search. */
function findPage(entries: readonly SearchEntry[]): DocsPage {
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

/** Begins a place that can be linked to: a heading, an operation or object, an error or event, a field. */
const PLACE = /<(h2|h3|article|section|dt|tr) id="([^"]+)"[^>]*>/

/** Samples, and what stands elsewhere too. */
const UNSEARCHED = /<pre.*?<\/pre>|<([a-z]+)[^>]* data-unsearched.*?<\/\1>/gs

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text of HTML that this service has written. */
const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:code|wbr|em|strong|a|span)\b[^>]*>/g, '')
    .replace(/<\/td>\s*<td>/g, ' · ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => NAMES[name] ?? '')
    .replace(/\s+/g, ' ')
    .replace(/^[ ·]+| $/g, '')

/** Every place of the pages that a search can lead to, in their order, with what is written there. */
export const searchEntries = (pages: readonly DocsPage[]): SearchEntry[] => pages.flatMap(entriesOf)

function entriesOf(page: DocsPage): SearchEntry[] {
  const { path, title, summary, body } = page
  // [what stands before the first place, then for each place: its element, its anchor, what follows]
  const [start = '', ...rest] = body.html.replace(UNSEARCHED, ' ').split(PLACE)
  const lead = textOf(start.replace(/<h1.*?<\/h1>/s, '').replace(/<ul class="operations">.*?<\/ul>/s, ''))
  const entries: SearchEntry[] = [
    { href: path, title, within: '', kind: 'page', text: lead === '' ? summary : lead },
  ]
  let part = title
  for (let at = 0; at + 2 < rest.length; at += 3) {
    const [element = '', anchor = '', html = ''] = rest.slice(at, at + 3)
    const found = placeOf(element, html)
    const kind = kindOf(element, anchor, path)
    entries.push({ href: `${path}#${anchor}`, within: kind === 'field' ? part : title, kind, ...found })
    if (kind !== 'field') part = title === found.title ? title : `${title} › ${found.title}`
  }
  return entries
}

/** Where the title of a place ends. */
const TITLE_ENDS: Readonly<Record<string, string>> = {
  article: '</h2>',
  section: '</h2>',
  dt: '</dt>',
  tr: '</code>',
}

function placeOf(element: string, html: string): { title: string; text: string } {
  const end = TITLE_ENDS[element] ?? `</${element}>`
  const at = html.indexOf(end)
  const title = textOf(html.slice(0, at)).replace(/ #$/, '')
  const rest = html.slice(at + end.length)
  const [row = ''] = rest.split('</tr>')
  return { title, text: textOf(element === 'tr' ? row : rest) }
}

function kindOf(element: string, anchor: string, path: string): SearchEntry['kind'] {
  if (element === 'article') return 'operation'
  if (element === 'tr') return 'field'
  if (element === 'dt') return path === '/docs/errors' ? 'error' : 'event'
  return anchor.startsWith('object-') ? 'object' : 'section'
}
