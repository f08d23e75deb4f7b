import type { VNode } from 'preact'
import type { WordsChange } from '../../../../contract/api/charges/charge-request.ts'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import type { Metadata } from '../../../../contract/api/fields/metadata.ts'
import { localFailure } from '../../../api/failure.ts'
import { Button } from '../../../components/actions/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useForm } from '../../../components/form/use-form.ts'
import { fitsLines, linesOf, metadataChange, metadataOf } from '../../../formats/metadata-lines.ts'
import { chargeActTexts } from './texts.ts'
import type { ActDialogProps } from './use-charge-acts.ts'

const texts = chargeActTexts.edit

/** Changes the merchant's own words on a charge. Only what a person has changed is sent, so that nobody else's change is undone. */
export function EditDialog({ charge, acts, close }: ActDialogProps): VNode {
  const isInLines = fitsLines(charge.metadata)
  const form = useForm({
    initial: {
      reference: charge.reference ?? '',
      description: charge.description ?? '',
      metadata: isInLines ? linesOf(charge.metadata) : '',
    },
    check: ({ metadata }) => ({
      metadata: metadataOf(metadata) === null ? texts.metadataFault : undefined,
    }),
    async send({ metadata, ...words }) {
      const written = isInLines ? metadataOf(metadata) : null
      const change = changeOf(charge, { ...words, metadata: written ?? charge.metadata })
      if (Object.keys(change).length === 0) return { ...localFailure('cancelled'), words: texts.nothing }
      const failure = await acts.edit(change)
      if (failure === null) close()
      return failure
    },
  })
  return (
    <Dialog title={texts.title} close={close}>
      <p class="soft">{texts.words}</p>
      <Form
        form={form}
        submit={texts.submit}
        actions={<Button onClick={close}>{chargeActTexts.keep}</Button>}
      >
        <TextField form={form} name="reference" label={texts.reference} isOptional />
        <TextField form={form} name="description" label={texts.description} rows={2} isOptional />
        {isInLines ? (
          <TextField
            form={form}
            name="metadata"
            label={texts.metadata}
            hint={texts.metadataHint}
            rows={4}
            isCode
            isOptional
          />
        ) : (
          <p class="soft">{texts.noLines}</p>
        )}
      </Form>
    </Dialog>
  )
}

interface Written {
  reference: string
  description: string
  metadata: Metadata
}

/** What differs from the charge: a text that is gone is null. */
function changeOf(charge: ChargeResource, { reference, description, metadata }: Written): WordsChange {
  const change = metadataChange(charge.metadata, metadata)
  const said = { reference: reference.trim() || null, description: description.trim() || null }
  return {
    ...(said.reference !== charge.reference && { reference: said.reference }),
    ...(said.description !== charge.description && { description: said.description }),
    ...(change !== null && { metadata: change }),
  }
}
