import type { SearchEntry } from '../contract/docs/search-entry.ts'
import { partsOf, plain } from './find-entries.ts'

/** How many characters of an entry are shown, and how many of them stand before what was found. */
const SHOWN = 150
const BEFORE = 50

interface Part {
  words: string
  isFound: boolean
}

/** What begins a word as one of the query does. */
function beginningsOf(query: string): RegExp | undefined {
  const words = partsOf(plain(query))
  // The parts of a query are letters and digits alone.
  return words.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu')
}

/** The text of an entry, from shortly before the first word that was asked for. */
export function excerptOf({ text }: SearchEntry, query: string): string {
  const at = beginningsOf(query)?.exec(text)?.index ?? 0
  if (text.length <= SHOWN) return text
  const start = at <= BEFORE ? 0 : text.lastIndexOf(' ', at - BEFORE) + 1
  const end = start + SHOWN >= text.length ? text.length : text.lastIndexOf(' ', start + SHOWN)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/** A text in parts: what was asked for, and what is around it. */
export function excerptParts(text: string, query: string): Part[] {
  const beginnings = beginningsOf(query)
  if (beginnings === undefined) return [{ words: text, isFound: false }]
  const parts: Part[] = []
  let from = 0
  for (const { 0: words, index } of text.matchAll(beginnings)) {
    parts.push({ words: text.slice(from, index), isFound: false }, { words, isFound: true })
    from = index + words.length
  }
  return [...parts, { words: text.slice(from), isFound: false }]
}
