import * as v from 'valibot'

/** What a place of the documentation is. */
const SEARCH_KINDS = ['page', 'section', 'operation', 'object', 'field', 'error', 'event'] as const

/** A place of the documentation that a search can lead to. */
export const SearchEntry = v.object({
  /** Its address below the service, with its anchor. */
  href: v.string(),
  title: v.string(),
  /** What it is a part of: the title of its page, and of the operation or object. Empty for a page. */
  within: v.string(),
  kind: v.picklist(SEARCH_KINDS),
  /** The words that stand there, without markup. */
  text: v.string(),
})
export type SearchEntry = v.InferOutput<typeof SearchEntry>

/** Everything that can be found: the body of `/docs/search.json`. */
export const SearchEntries = v.array(SearchEntry)
