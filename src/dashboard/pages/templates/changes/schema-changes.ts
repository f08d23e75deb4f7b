import { optionWords, wordsFor } from '../schema-form/place-words.ts'
import type { GroupField, SchemaField } from '../schema-form/schema-field.ts'

/** What one version of a schema can say and another can't, in words. */
export interface SchemaChanges {
  added: readonly string[]
  removed: readonly string[]
}

export function schemaChanges(before: GroupField, after: GroupField): SchemaChanges {
  const [old, now] = [placesOf(before), placesOf(after)]
  return {
    added: now.filter((place) => !old.includes(place)),
    removed: old.filter((place) => !now.includes(place)),
  }
}

/** Every place of a schema, and every option of a choice, in words. */
function placesOf({ entries }: GroupField, above = ''): string[] {
  return entries.flatMap(({ name, field }) => {
    const place = above + wordsFor(name)
    return [place, ...withinOf(field, `${place} › `)]
  })
}

function withinOf(field: SchemaField, above: string): string[] {
  if (field.kind === 'group') return placesOf(field, above)
  if (field.kind === 'rows') return placesOf(field.row, above)
  if (field.kind === 'choice' || field.kind === 'ticks')
    return field.options.map((option) => above + optionWords(option))
  return []
}
