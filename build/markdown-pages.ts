import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Marked } from 'marked'
import type { RendererObject } from 'marked'
import type { Plugin } from 'vite'

/** Turns each imported Markdown page into an object with its HTML: `GuideModule` of src/service/platform/docs. */
export function markdownPages(): Plugin {
  return {
    name: 'markdown-pages',
    enforce: 'pre',
    transform(text, id) {
      if (!id.endsWith('.md')) return null
      return { code: `export const page = ${JSON.stringify(pageOf(id, text))}`, map: null }
    },
  }
}

interface Heading {
  id: string
  title: string
}

function pageOf(file: string, text: string) {
  const name = basename(file, '.md')
  const parts: Heading[] = []
  const marked = new Marked({ renderer: rendererOf(parts, dirname(file)) })
  const [, title = name] = /^# (.+)$/m.exec(text) ?? []
  const html = marked
    .parse(text, { async: false })
    .replace(/<table>.*?<\/table>/gs, (table) => `${WIDE}${broken(table)}</div>`)
  return { name, title, summary: summaryOf(text), html, parts }
}

/** A table may be wider than a phone, so each can be scrolled separately, with the keyboard too. */
const WIDE = '<div class="wide" role="group" aria-label="Table" tabindex="0">'

/** A table whose narrow cells break long names between their words, and card numbers nowhere. */
const broken = (table: string): string =>
  table
    .replace(/<code>[^<]{16,}/g, (name) =>
      name.replace(/(?<=[A-Za-z]{3}[a-z])(?=[A-Z])|(?<=[_./])(?=[A-Za-z])/g, '<wbr>'),
    )
    .replace(/(\d{4}) (?=\d{4})/g, '$1&nbsp;')

/** The first sentence that is not a heading. */
function summaryOf(text: string): string {
  const [paragraph = ''] = text.split(/\n{2,}/).filter((block) => /^[A-Z]/.test(block))
  const words = paragraph
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    .replace(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${String(sign.codePointAt(0))};`)

/** The anchor that a Markdown viewer gives a heading: lower case, without punctuation, with hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Where a code sample runs, by the name that the reference uses; null where it is not code. `js browser`: a script of a page. */
function placeOf(language: string, text: string): string | null {
  if (language === 'js') return 'Node'
  if (language === 'html' || language === 'js browser') return 'Browser'
  return language === 'sh' && text.includes('curl') ? 'curl' : null
}

function rendererOf(parts: Heading[], folder: string): RendererObject {
  return {
    heading({ tokens, depth, text }) {
      const title = text.replace(/[`*]/g, '')
      const id = anchorOf(title)
      if (depth === 2) parts.push({ id, title })
      return `<h${String(depth)} id="${id}">${this.parser.parseInline(tokens)}</h${String(depth)}>\n`
    },
    code({ text, lang = '' }) {
      const place = placeOf(lang, text)
      const label = place === null ? '' : ` data-place="${place}"`
      return `<pre tabindex="0"${label}><code>${escaped(text)}</code></pre>\n`
    },
    // In the page itself: its origin of its own reaches no other file.
    image({ href, text }) {
      const picture = readFileSync(join(folder, href)).toString('base64')
      return `<img alt="${escaped(text)}" src="data:image/png;base64,${picture}">`
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      const target = addressOf(href)
      return target === null ? words : `<a href="${escaped(target)}">${words}</a>`
    },
  }
}

/** The pages of the site: all guides, and the detailed pages. */
const ON_SITE = new Set([
  ...readdirSync('docs/guides').map((file) => basename(file, '.md')),
  ...['widget', 'checkout', 'agreements', 'webhooks', 'releases', 'server-client', 'contract'],
])

/** The address on the site that a link in a file leads to; null where the target is not on the site, so that only the text remains. */
function addressOf(href: string): string | null {
  const [, name = '', anchor = ''] = /^(?:\.\.\/|guides\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (ON_SITE.has(name)) return `/docs/guides/${name}${anchor}`
  return /^(?:https?:|#|\/docs\b)/.test(href) ? href : null
}
