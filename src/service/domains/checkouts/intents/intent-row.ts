import type { CheckoutCustomer } from '../../../../contract/api/checkouts/checkout-request.ts'
import type { Configuration, Customisation } from '../../../../contract/api/checkouts/checkout-template.ts'
import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import {
  bytea,
  cents,
  float8,
  integer,
  json,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import type { Intent, JourneyStep, Snapshot } from './intent.ts'

/** The columns of an intent as a statement returns it. */
export const intentColumns = {
  id: text,
  merchant_id: text,
  workflow_version: integer,
  status: textOf<Intent['status']>(),
  amount: cents,
  currency: textOf<'AUD'>(),
  reference: nullable(text),
  description: nullable(text),
  customer: json<CheckoutCustomer>(),
  configuration: json<Snapshot<Configuration>>(),
  customisation: json<Snapshot<Customisation>>(),
  journey: jsonb<StoredStep[]>(),
  charge_id: nullable(text),
  payment_source_hash: nullable(bytea),
  tries: integer,
  request_hash: nullable(text),
  revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
  expires_at: timestamptz,
  age_ms: float8,
}
export type IntentRow = ValuesOf<typeof intentColumns>

interface StoredStep {
  step: JourneyStep['step']
  at: string
  charge_id?: string
  code?: ErrorCode
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

function toStep({ step, at, charge_id: chargeId, code }: StoredStep): JourneyStep {
  return {
    step,
    at: new Date(at),
    ...(chargeId !== undefined && { chargeId }),
    ...(code !== undefined && { code }),
  }
}
