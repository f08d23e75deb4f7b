/** The package's entry. */
export { SvcClient } from './svc-client.ts'
export { SvcError } from './svc-error.ts'
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
export { etagOf } from './sending/etags.ts'

export type * from './operations.ts'
export type { ClientOptions } from './client-options.ts'
export type { OauthOptions } from './sending/access-tokens.ts'
export type { CallOptions, ChangeOptions, ReadOptions } from './sending/call-options.ts'
export type { List, Page } from './sending/list.ts'
export type { RetryLimits } from './sending/retry-limits.ts'
export type { ErrorDetail } from './svc-error.ts'
export type { WebhookEvent, WebhookHeaders } from './verify-webhook.ts'
