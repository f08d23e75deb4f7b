import type { VNode } from 'preact'
import { Button } from '../../../../components/actions/button.tsx'
import { requiredFault } from '../../../../components/form/checks.ts'
import { Form } from '../../../../components/form/form.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { useForm } from '../../../../components/form/use-form.ts'
import { localFailure } from '../../../../api/failure.ts'
import { fitsLines, linesOf, metadataChange, metadataOf } from '../../../../formats/metadata-lines.ts'
import { agreementActTexts } from '../act-texts.ts'
import type { AmendProps } from '../use-agreement-acts.ts'

const texts = agreementActTexts.amend
const NAMES = ['description', 'short_description', 'reference'] as const

/** Changes texts of an agreement, which needs no answer of the payer. A text can be changed, but not taken away. */
export function AmendTextsForm({ agreement, acts, close }: AmendProps): VNode {
  const isInLines = fitsLines(agreement.metadata)
  const form = useForm({
    initial: {
      description: agreement.description,
      short_description: agreement.short_description ?? '',
      reference: agreement.reference ?? '',
      metadata: isInLines ? linesOf(agreement.metadata) : '',
    },
    check: ({ description, metadata }) => ({
      description: requiredFault(description),
      metadata: metadataOf(metadata) === null ? texts.metadataFault : undefined,
    }),
    async send(values) {
      const changed = NAMES.filter((name) => values[name].trim() !== '' && values[name] !== agreement[name])
      const written = isInLines ? metadataOf(values.metadata) : null
      const metadata = metadataChange(agreement.metadata, written ?? agreement.metadata)
      if (changed.length === 0 && metadata === null)
        return { ...localFailure('cancelled'), words: texts.nothing }
      const body = {
        ...Object.fromEntries(changed.map((name) => [name, values[name].trim()])),
        ...(metadata !== null && { metadata }),
      }
      const failure = await acts.amend(body, texts.savedTexts)
      if (failure === null) close()
      return failure
    },
  })
  return (
    <>
      <p class="soft">{texts.textsWords}</p>
      <Form
        form={form}
        submit={texts.saveTexts}
        actions={<Button onClick={close}>{agreementActTexts.back}</Button>}
      >
        <TextField form={form} name="description" label={texts.description} />
        <TextField form={form} name="short_description" label={texts.short} isOptional />
        <TextField form={form} name="reference" label={texts.reference} isOptional />
        {isInLines && (
          <TextField
            form={form}
            name="metadata"
            label={texts.metadata}
            hint={texts.metadataHint}
            rows={4}
            isCode
            isOptional
          />
        )}
      </Form>
    </>
  )
}
