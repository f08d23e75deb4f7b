import { useMemo } from 'preact/hooks'
import type { VNode } from 'preact'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import type { Failure } from '../../api/failure.ts'
import { useFormats } from '../../app-context.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { ChangesList } from './changes/changes-list.tsx'
import { contentChanges } from './changes/content-changes.ts'
import { TemplatePreview } from './preview/template-preview.tsx'
import { contentFaults, contentOf } from './schema-form/content-of.ts'
import { valuesOf } from './schema-form/field-values.ts'
import { SchemaFields } from './schema-form/schema-fields.tsx'
import type { TemplateKind } from './template-kind.ts'
import { templateTexts } from './texts.ts'
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
