import type { FormValues } from '../../../components/form/use-form.ts'
import { TICKED } from '../../../components/form/use-form.ts'
import { valuesOf } from '../schema-form/field-values.ts'
import { optionWords, wordsFor } from '../schema-form/place-words.ts'
import type { GroupField } from '../schema-form/schema-field.ts'
import { templateTexts } from '../texts.ts'

/** One place of a template whose content is another than before. */
export interface ContentChange {
  /** Its path in words: "Texts › Button". */
  place: string
  /** Null: nothing was, or is, said there. */
  before: string | null
  after: string | null
}

/** What differs between two contents, place by place, in the schema's order. */
export function contentChanges(field: GroupField, before: unknown, after: unknown): ContentChange[] {
  const [old, now] = [leavesOf(field, before), leavesOf(field, after)]
  const places = [...new Set([...now.keys(), ...old.keys()])]
  return places
    .map((path) => ({ place: placeWords(path), before: old.get(path) ?? null, after: now.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** What a content says, place by place. */
export function contentFacts(field: GroupField, content: unknown): readonly (readonly [string, string])[] {
  return [...leavesOf(field, content)].map(([path, value]) => [placeWords(path), value] as const)
}

const ROOT = 'content'

/** Every value of the content, by its path. */
function leavesOf(field: GroupField, content: unknown): Map<string, string> {
  const values: FormValues<string> = valuesOf(field, content, ROOT)
  return new Map(Object.entries(values).flatMap(([path, value]) => leafOf(field, path, value)))
}

function leafOf(field: GroupField, path: string, value: string): [string, string][] {
  if (value === '') return []
  const names = path.split('.').slice(1)
  const kind = kindAt(field, names)
  if (kind === 'rows') return []
  const { yes, no } = templateTexts.form
  if (kind === 'yes_no') return [[path, value === TICKED ? yes : no]]
  if (kind === 'ticks') return [[path, yes]]
  return [[path, kind === 'choice' ? optionWords(value) : value]]
}

/** The kind of the field that a path leads to. */
function kindAt(group: GroupField, [name, ...rest]: readonly string[]): string {
  const field = group.entries.find((entry) => entry.name === name)?.field
  if (field?.kind === 'group') return kindAt(field, rest)
  if (field?.kind === 'rows' && rest.length > 0) return kindAt(field.row, rest.slice(1))
  return field?.kind ?? 'text'
}

function placeWords(path: string): string {
  const names = path.split('.').slice(1)
  const words = names.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : nameWords(name)))
  return words.join(' › ')
}

function nameWords(name: string): string {
  return name in templateTexts.places ? wordsFor(name) : optionWords(name)
}
