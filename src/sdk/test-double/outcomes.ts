import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'
import type {
  FrameEventContent,
  PaymentFailure,
  PaymentSuccessful,
} from '../../contract/page/checkout-event.ts'

/** The token of a `finish`, unless a test sets another one. */
export const TEST_TOKEN = '00000000-0000-4000-8000-000000000001'

const PAID: PaymentSuccessful = {
  intent_id: '000000000000000000000001',
  charge_id: '000000000000000000000002',
}

/** Any origin: nothing is fetched from it. */
export const UNUSED_ORIGIN = 'https://widget.test'

export const finishEvent = (payment_source = TEST_TOKEN): FrameEventContent => ({
  event: 'finish',
  payment_source,
})

/** As the service refuses a card. */
export const refusalEvent = (
  message: string,
  fields: FormField[],
  code: FormErrorCode,
): FrameEventContent => ({
  event: 'validationError',
  error: { code, message, details: fields.map((path) => ({ path, message })) },
  invalid_fields: fields,
})

export const faultEvent = (code: FormErrorCode, message: string, retryable: boolean): FrameEventContent => ({
  event: 'systemError',
  error: { code, message, retryable },
})

export const paidEvent = (result = PAID): FrameEventContent => ({ event: 'paymentSuccessful', result })

export const declineEvent = (result: PaymentFailure): FrameEventContent => ({
  event: 'paymentFailure',
  result,
})
