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
const flag = { enum: ['true', 'false'] }
const exemption = {
  enum: ['lowValue', 'secureCorporate', 'trustedBeneficiary', 'transactionRiskAnalysis'],
}
const windowSize = { enum: ['01', '02', '03', '04', '05'] }
const threeDSRequestData = fields(
  {},
  { nativeThreeDS: { enum: ['preferred', 'disabled'] }, challengeWindowSize: windowSize },
)
const threeDS2RequestData = fields(
  {},
  {
    notificationURL: text,
    threeDSRequestorChallengeInd: { enum: ['01', '02', '03', '04', '05', '06'] },
  },
)
const whole = { type: 'integer' }
const browserInfo = fields(
  {
    ...{ acceptHeader: text, userAgent: text, language: text, javaEnabled: { type: 'boolean' } },
    ...{ colorDepth: { enum: [1, 4, 8, 15, 16, 24, 30, 32, 48] }, timeZoneOffset: whole },
    ...{ screenHeight: whole, screenWidth: whole },
  },
  { javaScriptEnabled: { type: 'boolean' } },
)
const mpiData = fields(
  {},
  {
    ...{ cavv: text, eci: text, dsTransID: text, threeDSVersion: text },
    directoryResponse: { enum: ['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y'] },
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
    authenticationData: fields(
      {},
      { attemptAuthentication: { enum: ['always', 'never'] }, threeDSRequestData },
    ),
    ...{ threeDS2RequestData, browserInfo, mpiData },
    shopperIP: { type: 'string', maxLength: 50 },
    shopperEmail: { type: 'string', maxLength: 256 },
    channel: { enum: ['iOS', 'Android', 'Web'] },
    origin: { type: 'string', maxLength: 80 },
    captureDelayHours: { type: 'integer' },
    additionalData: fields({}, { manualCapture: flag, scaExemption: exemption }),
  },
)
const RESULT_CODES = [
  ...['Authorised', 'PartiallyAuthorised', 'Pending', 'Received', 'Success', 'Refused', 'Cancelled', 'Error'],
  ...['AuthenticationFinished', 'AuthenticationNotRequired'],
  ...['ChallengeShopper', 'IdentifyShopper', 'PresentToShopper', 'RedirectShopper'],
]
const threeDS2Result = fields(
  {},
  {
    ...{ messageVersion: text, transStatus: text, transStatusReason: text, eci: text, dsTransID: text },
    ...{ authenticationValue: text, challengeCancel: { enum: ['01', '02', '03', '04', '05', '06', '07'] } },
  },
)
const threeDS2Action = fields(
  { type: { enum: ['threeDS2'] } },
  { ...{ subtype: text, token: text, authorisationToken: text, paymentData: text, paymentMethodType: text } },
)
const redirectAction = fields(
  { type: { enum: ['redirect'] } },
  { ...{ url: text, method: text, data: { type: 'object' }, paymentMethodType: text } },
)
const detailsRequest = fields(
  {
    details: fields(
      {},
      {
        'threeds2.fingerprint': { type: 'string', maxLength: 100_000 },
        'threeds2.challengeResult': { type: 'string', maxLength: 50_000 },
        threeDSResult: { type: 'string', maxLength: 50_000 },
        redirectResult: { type: 'string', maxLength: 20_000 },
        ...{ MD: { type: 'string', maxLength: 20_000 }, PaRes: { type: 'string', maxLength: 20_000 } },
      },
    ),
  },
  { paymentData: { type: 'string', maxLength: 200_000 } },
)
const paymentAnswer = fields(
  {},
  {
    action: { oneOf: [threeDS2Action, redirectAction] },
    additionalData: { type: 'object', additionalProperties: text },
    threeDS2Result,
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
  { path: /^\/payments\/details$/, request: detailsRequest, status: 200, answer: paymentAnswer },
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
