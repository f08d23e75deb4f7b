import type { WordsChange } from '../../../contract/api/charges/charge-request.ts'
import type { CheckoutRequest } from '../../../contract/api/checkouts/checkout-request.ts'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { refuseOtherRequest } from '../../platform/idempotency.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { CheckoutsDeps } from './deps.ts'
import { decideCancel, decideEdit, requestInProgress } from './intent.ts'
import type { Intent } from './intent.ts'
import * as store from './intent-store.ts'
import { syncWithCharge } from './sync-with-charge.ts'
import { configurationFor, customisationFor } from './templates.ts'

/** Makes an intent. The same request under the same key gets the same intent again. */
export async function createIntent(
  deps: CheckoutsDeps,
  merchant: { id: string; preAuth: boolean },
  request: CheckoutRequest,
  idempotentRequest: IdempotentRequest | null,
): Promise<{ intent: Intent; isReplay: boolean }> {
  const draft = await draftOf(deps, merchant, request).catch((refusal: unknown) => ({ refusal }))
  const added = 'refusal' in draft ? null : await store.addIntent(deps.database, draft, idempotentRequest)
  if (added !== null) return { intent: added, isReplay: false }
  // The request may have succeeded before even if it would be refused now, because its template has changed.
  const before = await madeBefore(deps, idempotentRequest)
  if (before !== null) return { intent: before, isReplay: true }
  throw 'refusal' in draft ? draft.refusal : new Error('the intent of a repeated request has gone')
}

/** Throws `not_found`, as `cancelIntent` does. */
export async function getIntent(deps: CheckoutsDeps, merchantId: string, id: string): Promise<Intent> {
  const intent = await store.findIntent(deps.database, id)
  if (intent?.merchantId !== merchantId) throw notFound('checkout')
  return syncWithCharge(deps, intent)
}

/** Changes reference, description and metadata of an intent that nobody has paid or pays just now. Throws what `decideEdit` does. */
export async function editIntent(
  deps: CheckoutsDeps,
  merchantId: string,
  id: string,
  change: WordsChange,
): Promise<Intent> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const intent = await getIntent(deps, merchantId, id)
    const edited = await store.editIntent(deps.database, intent, decideEdit(intent, change))
    if (edited !== null) return edited
  }
  throw requestInProgress()
}

/** How often a change is decided again because the intent has moved meanwhile. */
const MOST_TRIES = 10

export async function cancelIntent(deps: CheckoutsDeps, merchantId: string, id: string): Promise<Intent> {
  decideCancel(await getIntent(deps, merchantId, id))
  const cancelled = await store.cancelIntent(deps, id)
  if (cancelled !== null) return cancelled
  // Another request was faster: the rule decides again, on the intent as it is now.
  const now = await getIntent(deps, merchantId, id)
  decideCancel(now)
  return now
}

async function draftOf(
  deps: CheckoutsDeps,
  merchant: { id: string; preAuth: boolean },
  request: CheckoutRequest,
): Promise<store.NewIntent> {
  const { version: workflowVersion, amount, currency } = request
  const { reference = null, description = null, return_url: returnUrl = null, customer = {} } = request
  refuseUnknownVersion(workflowVersion)
  const use = { merchantId: merchant.id, workflowVersion }
  const configuration = await configurationFor(deps, {
    ...use,
    templateId: request.configuration?.template_id,
  })
  const customisation = await customisationFor(deps, {
    ...use,
    templateId: request.customisation?.template_id,
  })
  refuseUnlessMayHold(merchant, configuration.content)
  const ids = { id: deps.createId(), ...use }
  const { statement_descriptor: statementDescriptor = null, metadata = {} } = request
  const said = { reference, description, statementDescriptor, metadata, returnUrl, customer }
  return { ...ids, amount, currency, ...said, configuration, customisation }
}

async function madeBefore(
  { database }: CheckoutsDeps,
  idempotentRequest: IdempotentRequest | null,
): Promise<Intent | null> {
  if (idempotentRequest === null) return null
  const known = await store.findIntentByRequest(database, idempotentRequest.key)
  if (known === null) return null
  refuseOtherRequest(known.hash, idempotentRequest)
  return asMade(known.intent)
}

/** An intent as it was when it had just been made. */
function asMade(intent: Intent): Intent {
  return { ...intent, status: 'active', tries: 0, updatedAt: intent.createdAt }
}

function refuseUnknownVersion(version: number): void {
  if (WORKFLOW_VERSIONS.some((one) => one.version === version)) return
  const names = WORKFLOW_VERSIONS.map((one) => one.version).join(', ')
  throw new ServiceError(
    'unknown_workflow_version',
    `There is no workflow version ${version}. Known: ${names}; see GET /v1/checkouts/versions.`,
  )
}

/** Checked when the intent is made, so that the merchant learns of it and not the card holder. */
function refuseUnlessMayHold({ preAuth }: { preAuth: boolean }, { capture }: { capture: string }): void {
  if (capture === 'now' || preAuth) return
  throw new ServiceError(
    'feature_not_enabled',
    'The configuration captures later, and holding funds needs the Pre-Auth feature. Ask the operator to turn it on.',
  )
}
