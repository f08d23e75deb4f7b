import type { Place } from './router.ts'

/** The current address with other values in its query: '' and null take a name out. Any change of a list goes to its first page. */
export function hrefWith({ path, query }: Place, changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  if (!('cursor' in changes)) next.delete('cursor')
  const text = next.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A path of the API with those names of the query that have a value. */
export function pathWith(path: string, values: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}
