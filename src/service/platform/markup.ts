/** Text that may stand in HTML as it is. */
export interface Markup {
  html: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

type Part = Markup | string | number | false | undefined | readonly Part[]

function textOf(part: Part): string {
  if (part === false || part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(textOf).join('')
}

/** A template of HTML: what is put into it is escaped, unless it is markup itself. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: texts.map((text, index) => text + textOf(parts[index])).join('') }
}

/** Words in which `code` stands between back-ticks; an empty line begins a new paragraph. */
export function prose(words: string): Markup[] {
  return words.split('\n\n').map((paragraph) => {
    const pieces = paragraph
      .split('`')
      .map((piece, index) => (index % 2 === 0 ? piece : markup`<code>${piece}</code>`))
    return markup`<p>${pieces}</p>`
  })
}

/** Like `prose`, within a line. */
export function inline(words: string): Markup {
  const pieces = words
    .split('`')
    .map((piece, index) => (index % 2 === 0 ? piece : markup`<code>${piece}</code>`))
  return markup`${pieces}`
}
