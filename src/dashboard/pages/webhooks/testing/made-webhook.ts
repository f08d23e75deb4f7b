import { WebhookEventType } from '../../../../contract/api/webhook.ts'
import type { WebhookResource } from '../../../../contract/api/webhook.ts'

/** A webhook as a test of its pages wants it. */
export const HOOK: WebhookResource = {
  _id: '6b01799184f819f4cecbe1f1',
  url: 'https://shop.example/hook',
  events: [...WebhookEventType.options],
  status: 'enabled',
  old_secret_ends_at: null,
  created_at: '2026-11-20T09:00:00.000Z',
}
