import type { Metadata, MetadataChange } from '../../contract/api/fields/metadata.ts'

/** Metadata as a person writes it: `name: text`, one on a line. */
export function linesOf(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')
}

/** Whether metadata comes back from its lines as it was: names may hold a colon, and texts more than one line. */
export function fitsLines(metadata: Metadata): boolean {
  return Object.entries(metadata).every(
    ([name, text]) => !name.includes(':') && !(name + text).includes('\n'),
  )
}

/** What was written, as metadata; null where a line has no name, or one that another line has. Empty lines do not count. */
export function metadataOf(lines: string): Metadata | null {
  const written = lines.split('\n').filter((line) => line.trim() !== '')
  const entries = written.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()] as const
  })
  const names = new Set(entries.map(([name]) => name))
  return names.has('') || names.size < entries.length ? null : Object.fromEntries(entries)
}

/** What a change has to say so that metadata becomes another: names that are gone are null. Null where both are the same. */
export function metadataChange(before: Metadata, after: Metadata): MetadataChange | null {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => after[name] !== before[name])
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}
