import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { Failure } from '../../api/failure.ts'
import { Button } from '../../components/actions/button.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { securityTexts } from './texts.ts'
import { Select } from '../../components/form/select.tsx'
import type { FormState } from '../../components/form/use-form.ts'

const texts = securityTexts.overlap
const HOUR_SECONDS = 3600

const OPTIONS = [
  { value: String(24 * HOUR_SECONDS), words: texts.day },
  { value: String(HOUR_SECONDS), words: texts.hour },
  { value: String(7 * 24 * HOUR_SECONDS), words: texts.week },
  { value: '0', words: texts.none },
]

/** The overlap that is chosen unless somebody chooses another: long enough to bring a new key to every server. */
const USUAL_OVERLAP = String(24 * HOUR_SECONDS)

/** How long what is replaced works beside what is new, in seconds. */
function OverlapChoice({ form }: { form: FormState<'overlap'> }): VNode {
  return <Select form={form} name="overlap" label={texts.label} options={OPTIONS} />
}

interface RollDialogProps {
  title: string
  /** The words of the button that does it. */
  submit: string
  /** What the new one is called where it is shown. */
  label: string
  /** Makes the new one; earlier ones work for `overlapSeconds` more. */
  roll: (overlapSeconds: number) => Promise<{ made: string } | { failure: Failure }>
  close: () => void
  children: ComponentChildren
}

/** Makes a key or secret that takes the place of those before it, and shows it once. */
export function RollDialog({ title, submit, label, roll, close, children }: RollDialogProps): VNode {
  const made = useSignal<string | null>(null)
  const form = useForm({
    initial: { overlap: USUAL_OVERLAP },
    async send({ overlap }) {
      const outcome = await roll(Number(overlap))
      if ('failure' in outcome) return outcome.failure
      made.value = outcome.made
      return null
    },
  })
  if (made.value !== null)
    return (
      <Dialog title={label} close={close}>
        <SecretOnce label={label} secret={made.value} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {securityTexts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={title} close={close}>
      <p>{children}</p>
      <Form form={form} submit={submit} actions={<Button onClick={close}>{securityTexts.cancel}</Button>}>
        <OverlapChoice form={form} />
      </Form>
    </Dialog>
  )
}
