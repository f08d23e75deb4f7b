import * as v from 'valibot'
import { TICKED } from '../../../components/form/use-form.ts'
import type { FormValues } from '../../../components/form/use-form.ts'
import type { GroupField, SchemaField } from './schema-field.ts'

/** Said of an optional yes or no; '' says nothing, and `TICKED` yes. */
export const NO = 'no'

type Values = Readonly<Record<string, string>>

/** A template's content → the texts of the form, by their paths in the content below `path`. */
export function valuesOf(field: SchemaField, content: unknown, path: string): Values {
  switch (field.kind) {
    case 'group':
      return groupValues(field, content, path)
    case 'rows': {
      const rows = listIn(content)
      const values = rows.map((row, index) => groupValues(field.row, row, `${path}.${index}`))
      return merged([{ [path]: String(rows.length) }, ...values])
    }
    case 'ticks': {
      const chosen = listIn(content)
      const tick = (option: string) => ({ [`${path}.${option}`]: chosen.includes(option) ? TICKED : '' })
      return merged(field.options.map(tick))
    }
    case 'yes_no':
      return { [path]: answerText(content) }
    case 'choice':
    case 'text':
      return { [path]: typeof content === 'string' ? content : '' }
    case 'number':
      return { [path]: typeof content === 'number' ? String(content) : '' }
  }
}

function groupValues({ entries }: GroupField, content: unknown, path: string): Values {
  const known = v.is(AnyObject, content) ? content : {}
  return merged(entries.map(({ name, field }) => valuesOf(field, known[name], `${path}.${name}`)))
}

const AnyObject = v.record(v.string(), v.unknown())
const AnyList = v.array(v.unknown())

function listIn(content: unknown): readonly unknown[] {
  return v.is(AnyList, content) ? content : []
}

function answerText(content: unknown): string {
  if (content === true) return TICKED
  return content === false ? NO : ''
}

function merged(parts: readonly Values[]): Values {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

/** How many rows a list has in the form. */
export function rowsIn(values: FormValues<string>, path: string): number {
  return Number(values[path] ?? '0')
}
