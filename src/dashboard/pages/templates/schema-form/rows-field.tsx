import { useId } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { Button } from '../../../components/actions/button.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { templateTexts } from '../texts.ts'
import { rowsIn } from './field-values.ts'
import { createRowChanges } from './row-changes.ts'
import type { SchemaField } from './schema-field.ts'

interface RowsFieldProps {
  form: FormState<string>
  field: Extract<SchemaField, { kind: 'rows' }>
  path: string
  words: string
  hint: string | undefined
  /** The fields of the row at a path. */
  fieldsAt: (path: string) => ComponentChildren
}

/** A list of groups, which grows, shrinks and is put in order. */
export function RowsField({ form, field, path, words, hint, fieldsAt }: RowsFieldProps): VNode {
  const id = useId()
  const texts = templateTexts.form
  const count = rowsIn(form.values.value, path)
  const { add, remove, moveUp } = createRowChanges(form, field.row, path)
  return (
    <fieldset class="schema-group" aria-describedby={`${id}-hint`}>
      <legend>{words}</legend>
      <p class="hint" id={`${id}-hint`}>
        {hint ?? (count === 0 && texts.noRows)}
      </p>
      {Array.from({ length: count }, (_, index) => (
        <fieldset key={index} class="schema-row">
          <legend class="unseen">{texts.row(words, index + 1)}</legend>
          {fieldsAt(`${path}.${index}`)}
          <div class="schema-row-actions">
            {index > 0 && (
              <Button tone="quiet" onClick={() => moveUp(index)}>
                {texts.moveUp}
              </Button>
            )}
            <Button tone="quiet" icon="bin" onClick={() => remove(index)}>
              {texts.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button icon="plus" isDisabled={field.max !== null && count >= field.max} onClick={add}>
          {texts.add(words)}
        </Button>
      </div>
    </fieldset>
  )
}
