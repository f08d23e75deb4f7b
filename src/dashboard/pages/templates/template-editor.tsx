import { useMemo, useId } from 'preact/hooks'
import type { VNode, ComponentChildren } from 'preact'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import type { Failure } from '../../api/failure.ts'
import { useFormats } from '../../app-context.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm, TICKED } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { templateTexts } from './texts.ts'
import type { ContentChange } from './changes/content-changes.ts'
import './changes/changes.css'
import { contentChanges } from './changes/content-changes.ts'
import { TemplatePreview } from './preview/template-preview.tsx'
import { contentFaults, contentOf, rowsOf } from './schema-form/content-of.ts'
import { valuesOf, NO, rowsIn } from './schema-form/field-values.ts'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { Select } from '../../components/form/select.tsx'
import type { Option } from '../../components/form/select.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { hintFor, optionWords, wordsFor } from './schema-form/place-words.ts'
import { Button } from '../../components/actions/button.tsx'
import type { GroupField, SchemaField, Entry } from './schema-form/schema-field.ts'
import { StyleField } from './schema-form/style-field.tsx'
import { isStyle } from './schema-form/style-place.ts'
import { TicksField } from './schema-form/ticks-field.tsx'
import './schema-form/schema-form.css'
import type { TemplateKind } from './template-kind.ts'
import { useGatewayOptions } from './use-gateway-options.ts'
import './templates.css'

/** What a template is to say. */
export interface TemplateDraft {
  version: number
  label?: string
  content: Record<string, unknown>
}

interface TemplateEditorProps {
  type: TemplateType
  kind: TemplateKind
  version: number
  /** What the form begins with, and what its changes are told against; null: it begins empty. */
  original: { label: string; content: Readonly<Record<string, unknown>> } | null
  /** The words of the button that sends. */
  submit: string
  /** Null when all went well. */
  save: (draft: TemplateDraft) => Promise<Failure | null>
}

/** The prefix of the content's fields in the form, as in the paths of the service's error details. */
const CONTENT = 'content'

/** Edits a template by a form that is made from its schema, beside what the card form makes of it. */
export function TemplateEditor({ type, kind, version, original, submit, save }: TemplateEditorProps): VNode {
  const { schema, field, settingsOf } = kind
  const { money } = useFormats()
  const gateways = useGatewayOptions(type)
  const initial = useMemo(
    () => ({ label: original?.label ?? '', ...valuesOf(field, original?.content, CONTENT) }),
    [field, original],
  )
  const form = useForm<string>({
    initial,
    check: (values) => contentFaults(schema, contentOf(field, values, CONTENT), CONTENT),
    send: ({ label = '', ...values }) =>
      save({
        version,
        ...(label.trim() !== '' && { label: label.trim() }),
        content: contentOf(field, values, CONTENT),
      }),
  })
  const content = contentOf(field, form.values.value, CONTENT)
  const { form: texts, changes } = templateTexts
  return (
    <>
      <div class="template-editor">
        <Form form={form} submit={submit}>
          <TextField form={form} name="label" label={texts.label} hint={texts.labelHint} isOptional />
          <SchemaFields
            form={form}
            group={field}
            path={CONTENT}
            choices={gateways === null ? {} : { gateway_id: gateways }}
          />
        </Form>
        <TemplatePreview version={version} settings={settingsOf(content, money(1000, 'AUD'))} />
      </div>
      {original && (
        <Section title={changes.title}>
          <ChangesList changes={contentChanges(field, original.content, content)} />
        </Section>
      )}
    </>
  )
}

const { changes: texts } = templateTexts

const COLUMNS: readonly Column<ContentChange>[] = [
  { key: 'place', title: texts.place, cell: ({ place }) => place },
  {
    key: 'before',
    title: texts.before,
    cell: ({ before }) => (before === null ? <Unset /> : <del>{before}</del>),
  },
  {
    key: 'after',
    title: texts.after,
    cell: ({ after }) => (after === null ? <Unset /> : <ins>{after}</ins>),
  },
]

/** What differs between two contents of a template. */
function ChangesList({ changes }: { changes: readonly ContentChange[] }): VNode {
  if (changes.length === 0) return <p class="soft">{texts.none}</p>
  return <DataTable label={texts.title} columns={COLUMNS} rows={changes} keyOf={({ place }) => place} />
}

function Unset(): VNode {
  return <span class="soft">{texts.unset}</span>
}

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
function SchemaFields({ form, group, path, choices = {} }: SchemaFieldsProps): VNode {
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
function RowsField({ form, field, path, words, hint, fieldsAt }: RowsFieldProps): VNode {
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

/** What can be done with the rows of a list in the form. */
interface RowChanges {
  add: () => void
  remove: (index: number) => void
  /** Swaps a row with the one before it. */
  moveUp: (index: number) => void
}

/** Changes the rows of the list at a path of the form. */
function createRowChanges(form: FormState<string>, row: GroupField, path: string): RowChanges {
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
