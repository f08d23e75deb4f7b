import type { VNode } from 'preact'
import { ALL_EVENTS, WebhookEventType } from '../../../contract/api/webhook.ts'
import type { WebhookResource } from '../../../contract/api/webhook.ts'
import type { Failure } from '../../api/failure.ts'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import { TICKED } from '../../components/form/use-form.ts'
import type { FormState, FormValues } from '../../components/form/use-form.ts'
import { typeWords } from '../audit/words/event-words.ts'
import { byKind, isEveryEvent } from './events-by-kind.ts'
import { webhookTexts } from './texts.ts'

const texts = webhookTexts.choice
const TYPES = WebhookEventType.options
const OPTIONS = [
  { value: 'all', words: texts.all, hint: texts.allHint },
  { value: 'some', words: texts.some },
]

/** A form's values for the events of a webhook, which are ticked each by its type. */
export function eventValues(events: WebhookResource['events']): FormValues<string> {
  const isAll = isEveryEvent(events)
  const ticked = TYPES.map((type): [string, string] => [type, !isAll && events.includes(type) ? TICKED : ''])
  return { events: isAll ? 'all' : 'some', ...Object.fromEntries(ticked) }
}

/** The events that are chosen, as the API takes them, or why they can't be. */
export function chosenEvents(values: FormValues<string>): string[] | Failure {
  if (values['events'] === 'all') return [ALL_EVENTS]
  const chosen = TYPES.filter((type) => values[type] === TICKED)
  return chosen.length > 0
    ? chosen
    : { code: 'validation_error', words: texts.none, details: [], isUnknown: false }
}

/** What a webhook is to be told of: everything, or some types. */
export function EventChoice({ form }: { form: FormState<string> }): VNode {
  return (
    <>
      <RadioGroup form={form} name="events" label={texts.label} options={OPTIONS} />
      {form.values.value['events'] === 'some' &&
        byKind(TYPES).map(({ words, types }) => (
          <fieldset key={words} class="radio-group">
            <legend>{words}</legend>
            {types.map((type) => (
              <Checkbox key={type} form={form} name={type} label={typeWords(type)} />
            ))}
          </fieldset>
        ))}
    </>
  )
}
