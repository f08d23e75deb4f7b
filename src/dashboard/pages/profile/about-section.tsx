import type { VNode } from 'preact'
import * as v from 'valibot'
import { SessionView } from '../../../contract/dashboard/people/session-view.ts'
import { failureOf, SESSION_PATH } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Facts } from '../../components/data/facts.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { Select } from '../../components/form/select.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { roleTexts } from '../../session/role-texts.ts'
import { useView } from '../../session/use-view.ts'
import { profileTexts } from './texts.ts'

/** The person's name and time zone. */
export function AboutSection(): VNode {
  const { browser, session } = useApp()
  const { user, time_zone } = useView()
  const { send } = useChange()
  const show = useUndo()
  const before = { name: user.name, time_zone }
  const texts = profileTexts.about
  const form = useForm({
    initial: before,
    check: ({ name }) => ({ name: requiredFault(name) }),
    async send(body) {
      const outcome = await send({ method: 'PATCH', path: '/api/user', body, answer: v.unknown() })
      if (outcome.kind === 'done') {
        await session.refresh()
        show(texts.saved, {
          path: SESSION_PATH,
          schema: SessionView,
          isStill: (now) => now.user.name === body.name.trim() && now.time_zone === body.time_zone,
          back: { method: 'PATCH', path: '/api/user', body: before },
          undone: () => {
            form.set('name', before.name)
            form.set('time_zone', before.time_zone)
            return session.refresh()
          },
        })
      }
      return failureOf(outcome)
    },
  })
  const zones = new Set([time_zone, 'UTC', ...browser.timeZones()])
  const options = [...zones].map((zone) => ({ value: zone, words: zone.replaceAll('_', ' ') }))
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Facts
        facts={[
          [texts.email, user.email],
          [texts.role, roleTexts[user.role].name],
        ]}
      />
      <Form form={form} submit={texts.save} submitTone="plain">
        <TextField form={form} name="name" label={texts.name} autocomplete="name" />
        <Select form={form} name="time_zone" label={texts.timeZone} options={options} />
      </Form>
    </Section>
  )
}
