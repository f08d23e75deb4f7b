import type { Cents } from '../../../contract/api/amount.ts'
import type { CheckoutCustomer } from '../../../contract/api/checkout-request.ts'
import type { Configuration, Customisation } from '../../../contract/api/checkout-template-contents.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Intent, JourneyStep, Snapshot } from './intent.ts'

/** An intent as the database returns it. */
export interface IntentRow {
  id: string
  merchant_id: string
  workflow_version: number
  status: Intent['status']
  amount: Cents
  currency: 'AUD'
  reference: string | null
  description: string | null
  customer: CheckoutCustomer
  configuration: Snapshot<Configuration>
  customisation: Snapshot<Customisation>
  journey: { step: JourneyStep['step']; at: string; charge_id?: string; code?: ErrorCode }[]
  charge_id: string | null
  payment_source_hash: Buffer | null
  tries: number
  request_hash: string | null
  revision: number
  created_at: Date
  updated_at: Date
  expires_at: Date
  age_ms: number
}

export function toIntent(row: IntentRow): Intent {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    workflowVersion: row.workflow_version,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    reference: row.reference,
    description: row.description,
    customer: row.customer,
    configuration: row.configuration,
    customisation: row.customisation,
    chargeId: row.charge_id,
    paymentSourceHash: row.payment_source_hash,
    tries: row.tries,
    journey: row.journey.map(toStep),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    ageMs: row.age_ms,
  }
}

function toStep({ step, at, charge_id: chargeId, code }: IntentRow['journey'][number]): JourneyStep {
  return {
    step,
    at: new Date(at),
    ...(chargeId !== undefined && { chargeId }),
    ...(code !== undefined && { code }),
  }
}
