/** The package's entry. */
export { SvcClient } from './svc-client.ts'
export { SvcError } from './svc-error.ts'
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
export { etagOf } from './sending/etags.ts'

export type * from './described-api.ts'
