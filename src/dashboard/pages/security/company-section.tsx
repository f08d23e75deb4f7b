import type { VNode } from 'preact'
import { CompanyView } from '../../../contract/dashboard/company.ts'
import { useApp } from '../../app-context.ts'
import { Copyable } from '../../components/data/copyable.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../frame/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.company
const PATH = '/api/company'

/** The merchant's name, and the id by which the operator knows it. */
export function CompanySection(): VNode {
  const mayChange = usePermits()('change')
  const company = useResource(PATH, CompanyView)
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Loaded of={company}>
        {({ id, name }) => (
          <>
            {mayChange && <NameForm name={name} />}
            <Facts
              facts={[
                [texts.name, mayChange ? null : name],
                [texts.id, <Copyable key="id" label={texts.id} text={id} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function NameForm({ name: current }: { name: string }): VNode {
  const { session, toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: { name: current },
    check: ({ name }) => ({ name: name.trim() === '' ? texts.needsName : undefined }),
    async send({ name }) {
      const outcome = await send({
        method: 'PATCH',
        path: PATH,
        body: { name: name.trim() },
        answer: CompanyView,
      })
      if (outcome.kind === 'failed') return outcome.failure
      await session.refresh()
      toasts.show(texts.saved)
      return null
    },
  })
  return (
    <Form form={form} submit={texts.submit} submitTone="plain">
      <TextField form={form} name="name" label={texts.name} autocomplete="organization" />
    </Form>
  )
}
