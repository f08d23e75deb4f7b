import type { VNode } from 'preact'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { Select } from '../../../components/form/select.tsx'
import type { Option } from '../../../components/form/select.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { TICKED } from '../../../components/form/use-form.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { templateTexts } from '../texts.ts'
import { NO } from './field-values.ts'
import { hintFor, optionWords, wordsFor } from './place-words.ts'
import { RowsField } from './rows-field.tsx'
import type { Entry, GroupField } from './schema-field.ts'
import { StyleField } from './style-field.tsx'
import { isStyle } from './style-place.ts'
import { TicksField } from './ticks-field.tsx'
import './schema-form.css'

interface SchemaFieldsProps {
  form: FormState<string>
  group: GroupField
  /** Where the group stands: the beginning of its fields' names in the form. */
  path: string
  /** Choices for fields whose schema only knows the format, by the fields' names. */
  choices?: Choices
}

type Choices = Readonly<Record<string, readonly Option[]>>

/** The fields of a group of a schema: first those that are one control, then lists and groups, each in the schema's order. */
export function SchemaFields({ form, group, path, choices = {} }: SchemaFieldsProps): VNode {
  const single = group.entries.filter(isSingle)
  const others = group.entries.filter((entry) => !isSingle(entry))
  const fieldOf = (entry: Entry) => (
    <EntryField
      key={entry.name}
      form={form}
      entry={entry}
      path={`${path}.${entry.name}`}
      choices={choices[entry.name]}
    />
  )
  return (
    <>
      {single.length > 0 && <div class="schema-singles">{single.map(fieldOf)}</div>}
      {others.map(fieldOf)}
    </>
  )
}

function isSingle({ field: { kind } }: Entry): boolean {
  return kind !== 'group' && kind !== 'rows' && kind !== 'ticks'
}

interface EntryFieldProps {
  form: FormState<string>
  entry: Entry
  path: string
  choices: readonly Option[] | undefined
}

function EntryField({
  form,
  entry: { name, field, isRequired, fallback },
  path,
  choices,
}: EntryFieldProps): VNode {
  const [label, hint] = [wordsFor(name), hintFor(name)]
  const single = { form, name: path, label, hint }
  const { nothing, fallback: withFallback, yes, no } = templateTexts.form
  const unsaid = { value: '', words: fallback === null ? nothing : withFallback(optionWords(fallback)) }
  const selectOf = (options: readonly Option[]) => (
    <Select {...single} options={isRequired ? options : [unsaid, ...options]} />
  )
  switch (field.kind) {
    case 'choice':
      return selectOf(field.options.map((value) => ({ value, words: optionWords(value) })))
    case 'yes_no':
      if (isRequired) return <Checkbox {...single} />
      return selectOf([
        { value: TICKED, words: yes },
        { value: NO, words: no },
      ])
    case 'number':
      return <TextField {...single} inputMode="numeric" />
    case 'text':
      if (choices) return selectOf(withCurrent(choices, form.values.value[path]))
      return isStyle(path) ? <StyleField {...single} /> : <TextField {...single} />
    case 'ticks':
      return <TicksField form={form} options={field.options} path={path} words={label} hint={hint} />
    case 'rows': {
      const fieldsAt = (row: string) => <SchemaFields form={form} group={field.row} path={row} />
      return <RowsField form={form} field={field} path={path} words={label} hint={hint} fieldsAt={fieldsAt} />
    }
    case 'group':
      return (
        <fieldset class="schema-group">
          <legend>{label}</legend>
          <SchemaFields form={form} group={field} path={path} />
        </fieldset>
      )
  }
}

/** A value that is no longer among the choices stays as it is until another one is chosen. */
function withCurrent(choices: readonly Option[], current = ''): readonly Option[] {
  const isKnown = current === '' || choices.some(({ value }) => value === current)
  return isKnown ? choices : [...choices, { value: current, words: current }]
}
