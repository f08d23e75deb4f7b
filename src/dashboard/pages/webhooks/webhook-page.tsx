import type { VNode } from 'preact'
import { WebhookResource } from '../../../contract/api/webhook.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { webhookTexts } from './texts.ts'
import { WebhookActs } from './webhook-acts.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookNotices } from './webhook-notices.tsx'

const BACK = { href: '/webhooks', words: webhookTexts.title }

/** One webhook: how it is set, what was sent there, and a test event for it. */
export function WebhookPage({ id }: PageProps): VNode {
  const mayChange = usePermits()('change')
  const webhook = useResource(`/v1/webhooks/${encodeURIComponent(id)}`, WebhookResource)
  const { reload } = webhook
  return (
    <>
      {webhook.state.value.kind !== 'ready' && <PageHeader title={webhookTexts.one} back={BACK} />}
      <Loaded of={webhook}>
        {(shown) => (
          <>
            <PageHeader
              title={shown.url}
              back={BACK}
              actions={mayChange && <WebhookActs webhook={shown} reload={reload} />}
            />
            <WebhookNotices webhook={shown} mayChange={mayChange} reload={reload} />
            <WebhookFacts webhook={shown} />
            <DeliveriesSection webhookId={id} />
          </>
        )}
      </Loaded>
    </>
  )
}
