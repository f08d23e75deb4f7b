import type { FormState } from '../../../components/form/use-form.ts'
import { rowsOf } from './content-of.ts'
import { valuesOf } from './field-values.ts'
import type { GroupField } from './schema-field.ts'

/** What can be done with the rows of a list in the form. */
interface RowChanges {
  add: () => void
  remove: (index: number) => void
  /** Swaps a row with the one before it. */
  moveUp: (index: number) => void
}

/** Changes the rows of the list at a path of the form. */
export function createRowChanges(form: FormState<string>, row: GroupField, path: string): RowChanges {
  const rows = () => rowsOf(row, form.values.peek(), path)
  const write = (contents: readonly unknown[]) => {
    const values = contents.map((content, index) => valuesOf(row, content, `${path}.${index}`))
    for (const [name, text] of values.flatMap((one) => Object.entries(one))) form.set(name, text)
    form.set(path, String(contents.length))
  }
  return {
    add: () => write([...rows(), beginningOf(row)]),
    remove: (removed) => write(rows().filter((_, index) => index !== removed)),
    moveUp: (index) => {
      const [one, other] = rows().slice(index - 1, index + 1)
      write(rows().toSpliced(index - 1, 2, other ?? {}, one ?? {}))
    },
  }
}

/** A new row: where something has to be chosen, the first of its options. */
function beginningOf({ entries }: GroupField): Record<string, unknown> {
  return Object.fromEntries(
    entries.flatMap(({ name, field, isRequired }) =>
      isRequired && field.kind === 'choice' ? [[name, field.options[0]]] : [],
    ),
  )
}
