/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>

interface Operation {
  path: RegExp
  request: Schema
  /** The status of an answer that is no refusal, and what it holds. */
  status: number
  answer: Schema
}

const text = { type: 'string' }
const reference = { type: 'string', maxLength: 80 }
const amount = fields({
  currency: { type: 'string', minLength: 3, maxLength: 3 },
  value: { type: 'integer' },
})

/** A card; without its number when a sale is asked for again. */
const paymentMethod = fields(
  {},
  {
    type: { enum: ['scheme'] },
    number: text,
    cvc: text,
    holderName: text,
    expiryMonth: text,
    expiryYear: text,
  },
)
const payment = fields(
  {
    amount,
    merchantAccount: text,
    paymentMethod,
    reference,
    returnUrl: { type: 'string', maxLength: 1024 },
  },
  {
    shopperInteraction: { enum: ['Ecommerce', 'ContAuth', 'Moto', 'POS'] },
    authenticationData: fields({}, { attemptAuthentication: { enum: ['always', 'never'] } }),
    captureDelayHours: { type: 'integer' },
    additionalData: fields({}, { manualCapture: { enum: ['true', 'false'] } }),
  },
)
const RESULT_CODES = [
  ...['Authorised', 'PartiallyAuthorised', 'Pending', 'Received', 'Success', 'Refused', 'Cancelled', 'Error'],
  ...['AuthenticationFinished', 'AuthenticationNotRequired'],
  ...['ChallengeShopper', 'IdentifyShopper', 'PresentToShopper', 'RedirectShopper'],
]
const paymentAnswer = fields(
  {},
  {
    resultCode: { enum: RESULT_CODES },
    pspReference: text,
    merchantReference: text,
    refusalReason: text,
    refusalReasonCode: text,
  },
)

/** What every capture, cancel, refund and reversal is answered: it is only received yet. */
const received = { merchantAccount: text, pspReference: text, status: { enum: ['received'] } }
const ofPayment = { ...received, paymentPspReference: text }
const wholeRequest = fields({ merchantAccount: text }, { reference: text })
const wholeAnswer = fields(ofPayment, { reference: text })
const partRequest = fields({ amount, merchantAccount: text }, { reference: text })
const partAnswer = fields({ ...ofPayment, amount }, { reference: text })
const voidRequest = fields({ merchantAccount: text, paymentReference: text }, { reference: text })
const methodsRequest = fields({ merchantAccount: text })
const methodsAnswer = fields({}, { paymentMethods: { type: 'array' } })
const voidAnswer = fields({ ...received, paymentReference: text }, { reference: text })

const ofDispute = { merchantAccountCode: text, disputePspReference: text }
const document = fields({
  defenseDocumentTypeCode: text,
  contentType: text,
  content: { type: 'string', format: 'byte' },
})
const documentType = fields({
  defenseDocumentTypeCode: text,
  requirementLevel: text,
  available: { type: 'boolean' },
})
const defenceReason = fields(
  { defenseReasonCode: text, satisfied: { type: 'boolean' } },
  { defenseDocumentTypes: { type: 'array', items: documentType } },
)
const disputeServiceResult = fields({ success: { type: 'boolean' } }, { errorMessage: text })
const disputeAnswer = fields({ disputeServiceResult })
const documentsRequest = fields({ ...ofDispute, defenseDocuments: { type: 'array', items: document } })
const defendRequest = fields({ ...ofDispute, defenseReasonCode: text })
const reasonsAnswer = fields(
  { disputeServiceResult },
  { defenseReasons: { type: 'array', items: defenceReason } },
)

/**
 * The operations of Adyen's Checkout API v72, and of its Disputes API v30, that the adapter uses, with the fields that it sends and reads: what Adyen
 * requires of them, their types, longest texts and fixed values. A field that is not here is a fault of the adapter or of
 * its double.
 */
export const operations: readonly Operation[] = [
  { path: /^\/payments$/, request: payment, status: 200, answer: paymentAnswer },
  { path: /^\/payments\/[^/]+\/captures$/, request: partRequest, status: 201, answer: partAnswer },
  { path: /^\/payments\/[^/]+\/cancels$/, request: wholeRequest, status: 201, answer: wholeAnswer },
  { path: /^\/payments\/[^/]+\/refunds$/, request: partRequest, status: 201, answer: partAnswer },
  { path: /^\/payments\/[^/]+\/reversals$/, request: wholeRequest, status: 201, answer: wholeAnswer },
  { path: /^\/paymentMethods$/, request: methodsRequest, status: 200, answer: methodsAnswer },
  { path: /^\/cancels$/, request: voidRequest, status: 201, answer: voidAnswer },
  { path: /^\/acceptDispute$/, request: fields(ofDispute), status: 200, answer: disputeAnswer },
  { path: /^\/defendDispute$/, request: defendRequest, status: 200, answer: disputeAnswer },
  { path: /^\/supplyDefenseDocument$/, request: documentsRequest, status: 200, answer: disputeAnswer },
  {
    path: /^\/retrieveApplicableDefenseReasons$/,
    request: fields(ofDispute),
    status: 200,
    answer: reasonsAnswer,
  },
]

/** What each operation answers with one of `REFUSAL_STATUSES`. */
export const refusal = fields(
  {},
  { status: { type: 'integer' }, errorCode: text, message: text, errorType: text, pspReference: text },
)
export const REFUSAL_STATUSES: readonly number[] = [400, 401, 403, 422, 500]

/** An object that has these fields, may have the optional ones, and has no other. */
function fields(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}
