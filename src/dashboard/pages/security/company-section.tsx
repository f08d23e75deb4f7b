import type { VNode } from 'preact'
import { CompanyView } from '../../../contract/dashboard/company/company.ts'
import { useApp } from '../../app-context.ts'
import { Copyable } from '../../components/data/copyable.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
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
            {mayChange && <NameForm name={name} saved={company.reload} />}
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

interface NameFormProps {
  name: string
  saved: () => Promise<void>
}

function NameForm({ name: current, saved }: NameFormProps): VNode {
  const { session } = useApp()
  const { send } = useChange()
  const show = useUndo()
  const changed = () => Promise.all([saved(), session.refresh()])
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
      await changed()
      show(texts.saved, {
        path: PATH,
        schema: CompanyView,
        isStill: (now) => now.name === outcome.data.name,
        back: { method: 'PATCH', path: PATH, body: { name: current } },
        undone: () => {
          form.set('name', current)
          return changed()
        },
      })
      return null
    },
  })
  return (
    <Form form={form} submit={texts.submit} submitTone="plain">
      <TextField form={form} name="name" label={texts.name} autocomplete="organization" />
    </Form>
  )
}
