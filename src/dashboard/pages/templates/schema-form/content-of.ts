import * as v from 'valibot'
import { TICKED } from '../../../components/form/use-form.ts'
import type { FormValues, FormFaults } from '../../../components/form/use-form.ts'
import { rowsIn } from './field-values.ts'
import type { Entry, GroupField, SchemaField } from './schema-field.ts'
import { templateTexts } from '../texts.ts'

/** The texts of the form → a template's content, without empty values. */
export function contentOf(
  { entries }: GroupField,
  values: FormValues<string>,
  path: string,
): Record<string, unknown> {
  const said = entries.map(
    (entry) => [entry.name, contentAt(entry, values, `${path}.${entry.name}`)] as const,
  )
  return Object.fromEntries(said.filter(([, value]) => value !== undefined))
}

/** The value at one place; undefined for an optional one that is empty. */
function contentAt({ field, isRequired }: Entry, values: FormValues<string>, path: string): unknown {
  const content = contentInForm(field, values, path)
  if (!isRequired) return isEmpty(content) ? undefined : content
  return field.kind === 'yes_no' ? content === true : content
}

function contentInForm(field: SchemaField, values: FormValues<string>, path: string): unknown {
  const text = values[path] ?? ''
  switch (field.kind) {
    case 'group':
      return contentOf(field, values, path)
    case 'rows':
      return rowsOf(field.row, values, path)
    case 'ticks':
      return field.options.filter((option) => values[`${path}.${option}`] === TICKED)
    case 'yes_no':
      return text === '' ? undefined : text === TICKED
    case 'number':
      return numberIn(text)
    case 'choice':
    case 'text':
      return text === '' ? undefined : text
  }
}

/** The rows of a list in the form. */
export function rowsOf(
  row: GroupField,
  values: FormValues<string>,
  path: string,
): readonly Record<string, unknown>[] {
  const count = rowsIn(values, path)
  return Array.from({ length: count }, (_, index) => contentOf(row, values, `${path}.${index}`))
}

/** What is no number stays as it was written, so that the schema refuses it. */
function numberIn(text: string): number | string | undefined {
  if (text === '') return undefined
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

function isEmpty(content: unknown): boolean {
  return typeof content === 'object' && content !== null && Object.keys(content).length === 0
}

/** What is wrong with a template's content by its schema, in words, by the names that its fields have in the form. */
export function contentFaults(schema: v.GenericSchema, content: unknown, path: string): FormFaults {
  const { issues = [] } = v.safeParse(schema, content)
  return Object.fromEntries(issues.map((issue) => [`${path}.${v.getDotPath(issue) ?? ''}`, wordsOf(issue)]))
}

function wordsOf(issue: v.BaseIssue<unknown>): string {
  const { faults } = templateTexts
  if (issue.type === 'max_length') return faults.tooLong(Number(issue.requirement))
  if (issue.type === 'number' || issue.type === 'integer') return faults.number
  if (issue.type === 'regex') return faults.id
  if (issue.received === 'undefined') return faults.missing
  return issue.message.startsWith('Invalid') ? faults.unknown : sentence(issue.message)
}

/** The schemas' own words are short clauses, such as "must be 1 to 10". */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
