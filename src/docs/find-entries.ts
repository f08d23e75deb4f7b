import MiniSearch from 'minisearch'
import type { SearchOptions } from 'minisearch'
import type { SearchEntry } from '../contract/docs/search-entry.ts'

/** What a search has found, the best first. */
export interface Found {
  entries: readonly SearchEntry[]
  /** Whether the entries have only some of the words, or words like them. */
  isLoose: boolean
}

/** Lower case without accents. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Names as they stand, such as `card_number` or `/v1/charges`, and the words that they are made of. */
function wordsOf(text: string): string[] {
  const names = text.split(/[^\p{L}\p{N}\p{M}_.-]+/u).map((name) => name.replace(/^[._-]+|[._-]+$/g, ''))
  const parts = names.flatMap((name) => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[\s_.-]+/))
  return [...new Set([...names, ...parts])].filter((word) => word !== '')
}

/** Words of questions that tell nothing of what is asked for. */
const SMALL_WORDS = new Set(
  'a an and are can do does for how i in is it my of on or the to what when where with'.split(' '),
)

/** The parts of a query alone: who types a name finds it by its words, wherever they stand. */
export function partsOf(query: string): string[] {
  const words = query.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')
  const telling = words.filter((word) => !SMALL_WORDS.has(word.toLowerCase()))
  return telling.length > 0 ? telling : words
}

/** How much a kind is what people look for, compared with a section. */
const WEIGHTS: Readonly<Record<SearchEntry['kind'], number>> = {
  operation: 2.5,
  page: 1.5,
  error: 1.3,
  event: 1.1,
  object: 1.1,
  section: 1,
  field: 0.9,
}

/** Words beginning as those of the query do. A number, an `a` or `of` is meant as it stands. */
const PRECISE: SearchOptions = { prefix: (word) => word.length > 1, combineWith: 'AND' }

/** Words of four letters may have one letter wrong, those of six two. */
const FORGIVING: SearchOptions = { ...PRECISE, fuzzy: (word) => word.length > 3 && 0.25 }

/** The search in these entries: a query in, what it finds out. */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => Found {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'name', 'within', 'text'],
    tokenize: wordsOf,
    processTerm: plain,
    extractField: (entry, field) => {
      if (field === 'id') return entry.id
      if (field === 'name') return entry.kind === 'operation' ? (entry.href.split('#')[1] ?? '') : ''
      return field === 'title' || field === 'within' ? entry[field] : entry.text
    },
    searchOptions: {
      tokenize: partsOf,
      boost: { title: 5, name: 4 },
      boostDocument: (id) => WEIGHTS[entries[Number(id)]?.kind ?? 'section'],
    },
  })
  index.addAll(entries.map((entry, id) => ({ ...entry, id })))

  const find = (query: string, options: SearchOptions) =>
    index.search(query, options).flatMap(({ id }) => entries[Number(id)] ?? [])

  return (query) => {
    const asked = entries.filter(takesRequest(query))
    if (asked.length > 0) return { entries: asked, isLoose: false }
    const precise = exactFirst(find(query, PRECISE), query)
    if (precise.length > 0) return { entries: precise, isLoose: false }
    const alike = find(query, FORGIVING)
    const loose = alike.length > 0 ? alike : find(query, { ...FORGIVING, combineWith: 'OR' })
    return { entries: loose, isLoose: loose.length > 0 }
  }
}

/** Whether an operation is that of a request, such as `POST /v1/charges/ch_1/capture` or an address of the service in a log. */
function takesRequest(query: string): (entry: SearchEntry) => boolean {
  const [, method = '', path] =
    /^(?:(get|post|put|patch|delete)\s+)?(?:https?:\/\/[^/\s]+)?(\/[\w./{}-]+)(?:\?\S*)?$/i.exec(
      query.trim(),
    ) ?? []
  if (path === undefined) return () => false
  const asked = path.replace(/\/$/, '').split('/')
  return ({ kind, text }) => {
    const [taken = '', template = ''] = text.split(' ', 2)
    const steps = template.replace(/\?.*/, '').split('/')
    const isSame =
      steps.length === asked.length && steps.every((step, at) => step === asked[at] || step.startsWith('{'))
    return kind === 'operation' && isSame && taken.startsWith(method.toUpperCase())
  }
}

/** Who types a whole name means what is called that. */
function exactFirst(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const wanted = plain(query.trim())
  const rank = (entry: SearchEntry): number => {
    if (plain(entry.title) === wanted) return 0
    return plain(entry.title).endsWith(`.${wanted}`) || plain(entry.href).endsWith(`#${wanted}`) ? 1 : 2
  }
  return entries.toSorted((one, other) => rank(one) - rank(other))
}
