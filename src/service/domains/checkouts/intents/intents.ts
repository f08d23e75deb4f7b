import type { CheckoutRequest } from '../../../../contract/api/checkouts/checkout-request.ts'
import type { WorkflowVersion } from '../../../../contract/api/checkouts/workflow-versions.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { refuseOtherRequest } from '../../../platform/idempotency.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { IntentStore, NewIntent } from './intent-store.ts'
import { decideCancel } from './intent.ts'
import type { Intent } from './intent.ts'
import type { SyncWithCharge } from './sync-with-charge.ts'
import type { Templates } from '../templates/templates.ts'

/** Which workflow versions there are. */
export interface Workflows {
  /** A retired one still works. */
  known: readonly WorkflowVersion[]
  /** The newest SDK release that serves a version in this environment; null where none does. */
  recommendedRelease: (version: number) => { url: string; integrity: string } | null
}

/** What a merchant can do with intents. What a rule forbids throws a `ServiceError`. */
export interface Intents {
  /** The same request under the same key is answered as before. */
  create: (
    merchant: { id: string; preAuth: boolean },
    request: CheckoutRequest,
    idempotentRequest: IdempotentRequest | null,
  ) => Promise<{ intent: Intent; isReplay: boolean }>
  get: (merchantId: string, id: string) => Promise<Intent>
  list: IntentStore['list']
  cancel: (merchantId: string, id: string) => Promise<Intent>
}

interface Parts {
  store: IntentStore
  templates: Pick<Templates, 'configurationFor' | 'customisationFor'>
  workflows: Pick<Workflows, 'known'>
  syncWithCharge: SyncWithCharge
  createId: CreateId
}

export function createIntents({ store, templates, workflows, syncWithCharge, createId }: Parts): Intents {
  const get = async (merchantId: string, id: string): Promise<Intent> => {
    const intent = await store.find(id)
    if (intent?.merchantId !== merchantId) {
      throw new ServiceError('not_found', 'There is no checkout with this id.')
    }
    return syncWithCharge(intent)
  }
  return {
    get,
    list: store.list,
    async create(merchant, request, idempotentRequest) {
      const draft = await draftOf(merchant, request).catch((refusal: unknown) => ({ refusal }))
      const added = 'refusal' in draft ? null : await store.add(draft, idempotentRequest)
      if (added !== null) return { intent: added, isReplay: false }
      // The request may have been carried out before, even if it would be refused now, as its template has changed.
      const before = await madeBefore(idempotentRequest)
      if (before !== null) return { intent: before, isReplay: true }
      throw 'refusal' in draft ? draft.refusal : new Error('the intent of a repeated request has gone')
    },
    async cancel(merchantId, id) {
      decideCancel(await get(merchantId, id))
      const cancelled = await store.cancel(id)
      if (cancelled !== null) return cancelled
      // Another request was faster: the rule decides again, on what that made of the intent.
      const now = await get(merchantId, id)
      decideCancel(now)
      return now
    },
  }

  async function draftOf(
    merchant: { id: string; preAuth: boolean },
    request: CheckoutRequest,
  ): Promise<NewIntent> {
    refuseUnknownVersion(request.version, workflows.known)
    const use = { merchantId: merchant.id, workflowVersion: request.version }
    const configuration = await templates.configurationFor({
      ...use,
      templateId: request.configuration?.template_id,
    })
    const customisation = await templates.customisationFor({
      ...use,
      templateId: request.customisation?.template_id,
    })
    refuseUnlessMayHold(merchant, configuration.content)
    return newIntent(createId(), merchant.id, request, { configuration, customisation })
  }

  async function madeBefore(idempotentRequest: IdempotentRequest | null): Promise<Intent | null> {
    if (idempotentRequest === null) return null
    const known = await store.findByRequest(idempotentRequest.key)
    if (known === null) return null
    refuseOtherRequest(known.hash, idempotentRequest)
    return asMade(known.intent)
  }
}

function newIntent(
  id: string,
  merchantId: string,
  request: CheckoutRequest,
  content: Pick<NewIntent, 'configuration' | 'customisation'>,
): NewIntent {
  const { version: workflowVersion, amount, currency } = request
  const { reference = null, description = null, customer = {} } = request
  return { id, merchantId, workflowVersion, amount, currency, reference, description, customer, ...content }
}

/** An intent as it was when it had just been made. */
function asMade(intent: Intent): Intent {
  return { ...intent, status: 'active', tries: 0, updatedAt: intent.createdAt }
}

function refuseUnknownVersion(version: number, known: Workflows['known']): void {
  if (known.some((one) => one.version === version)) return
  const names = known.map((one) => one.version).join(', ')
  throw new ServiceError(
    'unknown_workflow_version',
    `There is no workflow version ${version}. Known: ${names}; see GET /v1/checkouts/versions.`,
  )
}

/** The merchant must learn that it can't hold funds, not the card holder. */
function refuseUnlessMayHold({ preAuth }: { preAuth: boolean }, { capture }: { capture: string }): void {
  if (capture === 'now' || preAuth) return
  throw new ServiceError(
    'feature_not_enabled',
    'The configuration captures later, and holding funds needs the Pre-Auth feature. Ask the operator to turn it on.',
  )
}
