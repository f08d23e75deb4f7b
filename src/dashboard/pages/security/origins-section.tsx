import type { VNode } from 'preact'
import { Origins } from '../../../contract/dashboard/company/company.ts'
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
import type { Failure } from '../../api/failure.ts'

const texts = securityTexts.origins
const PATH = '/api/origins'

/** Whose pages may show the card form. */
export function OriginsSection(): VNode {
  const mayChange = usePermits()('change')
  const origins = useResource(PATH, Origins)
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Loaded of={origins}>
        {({ allowed_origins: allowed }) =>
          mayChange ? (
            <OriginsForm allowed={allowed} saved={origins.reload} />
          ) : (
            <OriginsList allowed={allowed} />
          )
        }
      </Loaded>
    </Section>
  )
}

function OriginsList({ allowed }: { allowed: readonly string[] }): VNode {
  if (allowed.length === 0) return <p class="soft">{texts.none}</p>
  return (
    <ul>
      {allowed.map((origin) => (
        <li key={origin}>
          <code>{origin}</code>
        </li>
      ))}
    </ul>
  )
}

interface OriginsFormProps {
  allowed: readonly string[]
  saved: () => Promise<void>
}

function OriginsForm({ allowed, saved }: OriginsFormProps): VNode {
  const { send } = useChange()
  const show = useUndo()
  const form = useForm({
    initial: { allowed_origins: allowed.join('\n') },
    async send({ allowed_origins: lines }) {
      const body = { allowed_origins: lines.split(/\s+/).filter((line) => line !== '') }
      const outcome = await send({ method: 'PUT', path: PATH, body, answer: Origins })
      if (outcome.kind === 'failed') return namingLines(outcome.failure, body.allowed_origins)
      await saved()
      show(texts.saved, {
        path: PATH,
        schema: Origins,
        isStill: ({ allowed_origins: now }) => now.join() === outcome.data.allowed_origins.join(),
        back: { method: 'PUT', path: PATH, body: { allowed_origins: allowed } },
        undone: () => {
          form.set('allowed_origins', allowed.join('\n'))
          return saved()
        },
      })
      return null
    },
  })
  return (
    <Form form={form} submit={texts.submit} submitTone="plain">
      <TextField
        form={form}
        name="allowed_origins"
        label={texts.label}
        hint={texts.hint}
        rows={4}
        isCode
        isOptional
      />
    </Form>
  )
}

/**
 * A failure about a list that a person wrote as the lines of one field. The service says at which place of the list something is
 * wrong (`allowed_origins.1`); the field is told the line itself.
 */
function namingLines(failure: Failure, lines: readonly string[]): Failure {
  const details = failure.details.map(({ path, message }) => {
    const [field = '', place] = path.split('.')
    const line = place === undefined ? undefined : lines[Number(place)]
    return { path: field, message: line === undefined ? message : `“${line}”: ${message}` }
  })
  return { ...failure, details }
}
