import type { VNode } from 'preact'
import { REASON_CODES } from '../../../../contract/api/agreements/agreement-request.ts'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { Button } from '../../../components/actions/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Select } from '../../../components/form/select.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useForm } from '../../../components/form/use-form.ts'
import { agreementActTexts } from './act-texts.ts'
import { reasonTexts } from './texts.ts'
import type { AgreementActs } from './use-agreement-acts.ts'

interface StatusDialogProps {
  action: 'suspend' | 'cancel'
  agreement: AgreementResource
  acts: AgreementActs
  close: () => void
}

const REASONS = [
  { value: '', words: agreementActTexts.chooseReason },
  ...REASON_CODES.map((value) => ({ value, words: reasonTexts[value] })),
]

/** Asks why an agreement is to be suspended or cancelled, and says what that does. */
export function StatusDialog({ action, agreement, acts, close }: StatusDialogProps): VNode {
  const { title, words, button, done } = agreementActTexts[action]
  const form = useForm({
    initial: { reason_code: '', reason: '' },
    check: ({ reason_code: code }) => ({
      reason_code: code === '' ? agreementActTexts.reasonFault : undefined,
    }),
    async send({ reason_code, reason }) {
      const text = reason.trim()
      const body = { action, reason_code, ...(text === '' ? {} : { reason: text }) }
      const failure = await acts.changeStatus(body, done)
      if (failure === null) close()
      return failure
    },
  })
  return (
    <Dialog title={title} close={close}>
      <p>{words(agreement.debtor.name)}</p>
      <Form
        form={form}
        submit={button}
        submitTone="danger"
        actions={<Button onClick={close}>{agreementActTexts.back}</Button>}
      >
        <Select form={form} name="reason_code" label={agreementActTexts.reason} options={REASONS} />
        <TextField
          form={form}
          name="reason"
          label={agreementActTexts.reasonText}
          hint={agreementActTexts.reasonTextHint}
          isOptional
        />
      </Form>
    </Dialog>
  )
}
