import type { VNode } from 'preact'
import * as v from 'valibot'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { PASSWORD_LENGTH } from '../../../contract/dashboard/people/credentials.ts'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useView } from '../../session/use-view.ts'
import { profileTexts } from './texts.ts'

/** Changes the password. */
export function PasswordSection(): VNode {
  const { toasts } = useApp()
  const { user } = useView()
  const { send } = useChange()
  const texts = profileTexts.password
  const form = useForm({
    initial: { old: '', new: '' },
    check: (values) => ({
      old: requiredFault(values.old),
      new: values.new.length < PASSWORD_LENGTH.min ? texts.short : undefined,
    }),
    async send(body) {
      const outcome = await send({ method: 'POST', path: '/api/user/password', body, answer: v.unknown() })
      if (outcome.kind === 'done') {
        form.reset()
        toasts.show(texts.saved)
      }
      return failureOf(outcome)
    },
  })
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Form form={form} submit={texts.save} submitTone="plain">
        <input hidden type="text" autocomplete="username" value={user.email} readOnly />
        <PasswordField form={form} name="old" label={texts.old} />
        <PasswordField form={form} name="new" label={texts.new} hint={texts.hint} isNew />
      </Form>
    </Section>
  )
}
