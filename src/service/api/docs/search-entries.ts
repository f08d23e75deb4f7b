import type { SearchEntry } from '../../../contract/docs/search-entry.ts'
import type { DocsPage } from './page-shell.ts'

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
