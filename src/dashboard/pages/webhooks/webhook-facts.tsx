import type { VNode } from 'preact'
import type { WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import { Facts } from '../../components/data/facts.tsx'
import { IdText } from '../../components/data/id-text.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { byKind, isEveryEvent } from './events-by-kind.ts'
import { webhookTexts } from './texts.ts'

const texts = webhookTexts.details

/** What a webhook is told of, and how it is known. */
export function WebhookFacts({ webhook }: { webhook: WebhookResource }): VNode {
  const { _id, events, created_at } = webhook
  return (
    <Section title={texts.title} description={texts.description}>
      <Facts
        facts={[
          ...factsOf(events),
          [texts.made, <Moment at={created_at} />],
          [texts.id, <IdText id={_id} label={texts.idLabel} />],
        ]}
      />
    </Section>
  )
}

/** What it is told of, by what the events are about. */
function factsOf(events: readonly WebhookEventType[]): (readonly [name: string, value: string])[] {
  if (isEveryEvent(events)) return [[texts.events, texts.all]]
  return byKind(events).map(({ words, types }): readonly [string, string] => [words, namesOf(types)])
}

/** Types of one kind as a sentence without that kind: Captured, capture failed. */
function namesOf(types: readonly WebhookEventType[]): string {
  const names = types.map((type) => type.slice(type.indexOf('.') + 1).replaceAll('_', ' ')).join(', ')
  return names.charAt(0).toUpperCase() + names.slice(1)
}
