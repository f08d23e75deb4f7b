// Generated, do not edit: `npm run client:types` makes it of the description of the API; a test says when it is out of date.

import type * as api from './described-api.ts'

export type {
  ErrorCode,
  Charge,
  UpdateCharge,
  CreateCharge,
  Amount,
  CaptureCharge,
  RefundCharge,
  Dispute,
  DisputeDefences,
  AddDisputeDocument,
  DefendDispute,
  CreateCheckout,
  Checkout,
  CheckoutWithJourney,
  UpdateCheckout,
  CheckoutVersion,
  CreateCheckoutTemplate,
  CheckoutTemplate,
  Agreement,
  AmendAgreement,
  CreateAgreement,
  AgreementValidation,
  ChangeAgreementStatus,
  CreateAgreementPayment,
  AgreementPayment,
  CreateWebhook,
  Webhook,
  UpdateWebhook,
  WebhookDelivery,
  RollWebhookSecret,
  Event,
  EventData,
} from './described-api.ts'

export type ListCharges = NonNullable<api.ListChargesData['query']>
export type ListDisputes = NonNullable<api.ListDisputesData['query']>
export type ListCheckouts = NonNullable<api.ListCheckoutsData['query']>
export type ListCheckoutTemplates = NonNullable<api.ListCheckoutTemplatesData['query']>
export type ListAgreements = NonNullable<api.ListAgreementsData['query']>
export type ListAgreementPayments = NonNullable<api.ListAgreementPaymentsData['query']>
export type ListWebhookDeliveries = NonNullable<api.ListWebhookDeliveriesData['query']>
export type ListEvents = NonNullable<api.ListEventsData['query']>

/** What each operation takes and answers. */
export interface Operations {
  getCharge: { request: api.GetChargeData; answers: api.GetChargeResponses }
  updateCharge: { request: api.UpdateChargeData; answers: api.UpdateChargeResponses }
  listCharges: { request: api.ListChargesData; answers: api.ListChargesResponses }
  createCharge: { request: api.CreateChargeData; answers: api.CreateChargeResponses }
  captureCharge: { request: api.CaptureChargeData; answers: api.CaptureChargeResponses }
  cancelCharge: { request: api.CancelChargeData; answers: api.CancelChargeResponses }
  refundCharge: { request: api.RefundChargeData; answers: api.RefundChargeResponses }
  listDisputes: { request: api.ListDisputesData; answers: api.ListDisputesResponses }
  getDispute: { request: api.GetDisputeData; answers: api.GetDisputeResponses }
  listDefences: { request: api.ListDefencesData; answers: api.ListDefencesResponses }
  addDisputeDocument: { request: api.AddDisputeDocumentData; answers: api.AddDisputeDocumentResponses }
  removeDisputeDocument: {
    request: api.RemoveDisputeDocumentData
    answers: api.RemoveDisputeDocumentResponses
  }
  acceptDispute: { request: api.AcceptDisputeData; answers: api.AcceptDisputeResponses }
  defendDispute: { request: api.DefendDisputeData; answers: api.DefendDisputeResponses }
  createCheckout: { request: api.CreateCheckoutData; answers: api.CreateCheckoutResponses }
  getCheckout: { request: api.GetCheckoutData; answers: api.GetCheckoutResponses }
  updateCheckout: { request: api.UpdateCheckoutData; answers: api.UpdateCheckoutResponses }
  cancelCheckout: { request: api.CancelCheckoutData; answers: api.CancelCheckoutResponses }
  listCheckouts: { request: api.ListCheckoutsData; answers: api.ListCheckoutsResponses }
  listCheckoutVersions: { request: api.ListCheckoutVersionsData; answers: api.ListCheckoutVersionsResponses }
  createCheckoutTemplate: {
    request: api.CreateCheckoutTemplateData
    answers: api.CreateCheckoutTemplateResponses
  }
  listCheckoutTemplates: {
    request: api.ListCheckoutTemplatesData
    answers: api.ListCheckoutTemplatesResponses
  }
  getCheckoutTemplate: { request: api.GetCheckoutTemplateData; answers: api.GetCheckoutTemplateResponses }
  replaceCheckoutTemplate: {
    request: api.ReplaceCheckoutTemplateData
    answers: api.ReplaceCheckoutTemplateResponses
  }
  getAgreement: { request: api.GetAgreementData; answers: api.GetAgreementResponses }
  amendAgreement: { request: api.AmendAgreementData; answers: api.AmendAgreementResponses }
  listAgreements: { request: api.ListAgreementsData; answers: api.ListAgreementsResponses }
  createAgreement: { request: api.CreateAgreementData; answers: api.CreateAgreementResponses }
  validateAgreement: { request: api.ValidateAgreementData; answers: api.ValidateAgreementResponses }
  changeAgreementStatus: {
    request: api.ChangeAgreementStatusData
    answers: api.ChangeAgreementStatusResponses
  }
  createAgreementPayment: {
    request: api.CreateAgreementPaymentData
    answers: api.CreateAgreementPaymentResponses
  }
  listAgreementPayments: {
    request: api.ListAgreementPaymentsData
    answers: api.ListAgreementPaymentsResponses
  }
  getAgreementPayment: { request: api.GetAgreementPaymentData; answers: api.GetAgreementPaymentResponses }
  createWebhook: { request: api.CreateWebhookData; answers: api.CreateWebhookResponses }
  listWebhooks: { request: api.ListWebhooksData; answers: api.ListWebhooksResponses }
  getWebhook: { request: api.GetWebhookData; answers: api.GetWebhookResponses }
  updateWebhook: { request: api.UpdateWebhookData; answers: api.UpdateWebhookResponses }
  deleteWebhook: { request: api.DeleteWebhookData; answers: api.DeleteWebhookResponses }
  testWebhook: { request: api.TestWebhookData; answers: api.TestWebhookResponses }
  rollWebhookSecret: { request: api.RollWebhookSecretData; answers: api.RollWebhookSecretResponses }
  listWebhookDeliveries: {
    request: api.ListWebhookDeliveriesData
    answers: api.ListWebhookDeliveriesResponses
  }
  resendWebhookDelivery: {
    request: api.ResendWebhookDeliveryData
    answers: api.ResendWebhookDeliveryResponses
  }
  listEvents: { request: api.ListEventsData; answers: api.ListEventsResponses }
  getEvent: { request: api.GetEventData; answers: api.GetEventResponses }
}

/** Where each operation is, the key that it asks for, and whether it takes an Idempotency-Key. */
export const operations = {
  getCharge: { method: 'GET', path: '/v1/charges/{id}', key: 'secret', takesKey: false },
  updateCharge: { method: 'PATCH', path: '/v1/charges/{id}', key: 'secret', takesKey: true },
  listCharges: { method: 'GET', path: '/v1/charges', key: 'secret', takesKey: false },
  createCharge: { method: 'POST', path: '/v1/charges', key: 'secret', takesKey: true },
  captureCharge: { method: 'POST', path: '/v1/charges/{id}/capture', key: 'secret', takesKey: true },
  cancelCharge: { method: 'DELETE', path: '/v1/charges/{id}/capture', key: 'secret', takesKey: true },
  refundCharge: { method: 'POST', path: '/v1/charges/{id}/refunds', key: 'secret', takesKey: true },
  listDisputes: { method: 'GET', path: '/v1/disputes', key: 'secret', takesKey: false },
  getDispute: { method: 'GET', path: '/v1/disputes/{id}', key: 'secret', takesKey: false },
  listDefences: { method: 'GET', path: '/v1/disputes/{id}/defences', key: 'secret', takesKey: false },
  addDisputeDocument: { method: 'POST', path: '/v1/disputes/{id}/documents', key: 'secret', takesKey: true },
  removeDisputeDocument: {
    method: 'DELETE',
    path: '/v1/disputes/{id}/documents/{document_id}',
    key: 'secret',
    takesKey: true,
  },
  acceptDispute: { method: 'POST', path: '/v1/disputes/{id}/accept', key: 'secret', takesKey: true },
  defendDispute: { method: 'POST', path: '/v1/disputes/{id}/defend', key: 'secret', takesKey: true },
  createCheckout: { method: 'POST', path: '/v1/checkouts/intent', key: 'secret', takesKey: true },
  getCheckout: { method: 'GET', path: '/v1/checkouts/{id}', key: 'secret', takesKey: false },
  updateCheckout: { method: 'PATCH', path: '/v1/checkouts/{id}', key: 'secret', takesKey: true },
  cancelCheckout: { method: 'DELETE', path: '/v1/checkouts/{id}', key: 'secret', takesKey: true },
  listCheckouts: { method: 'GET', path: '/v1/checkouts', key: 'secret', takesKey: false },
  listCheckoutVersions: { method: 'GET', path: '/v1/checkouts/versions', key: 'secret', takesKey: false },
  createCheckoutTemplate: { method: 'POST', path: '/v1/checkouts/templates', key: 'secret', takesKey: true },
  listCheckoutTemplates: { method: 'GET', path: '/v1/checkouts/templates', key: 'secret', takesKey: false },
  getCheckoutTemplate: {
    method: 'GET',
    path: '/v1/checkouts/templates/{id}',
    key: 'secret',
    takesKey: false,
  },
  replaceCheckoutTemplate: {
    method: 'PUT',
    path: '/v1/checkouts/templates/{id}',
    key: 'secret',
    takesKey: true,
  },
  getAgreement: { method: 'GET', path: '/agreements/{id}', key: 'oauth', takesKey: false },
  amendAgreement: { method: 'PATCH', path: '/agreements/{id}', key: 'oauth', takesKey: true },
  listAgreements: { method: 'GET', path: '/agreements', key: 'oauth', takesKey: false },
  createAgreement: { method: 'POST', path: '/agreements', key: 'oauth', takesKey: true },
  validateAgreement: { method: 'POST', path: '/agreements/validate', key: 'oauth', takesKey: true },
  changeAgreementStatus: { method: 'PATCH', path: '/agreements/{id}/status', key: 'oauth', takesKey: true },
  createAgreementPayment: { method: 'POST', path: '/agreements/{id}/payments', key: 'oauth', takesKey: true },
  listAgreementPayments: { method: 'GET', path: '/agreements/{id}/payments', key: 'oauth', takesKey: false },
  getAgreementPayment: { method: 'GET', path: '/payments/{id}', key: 'oauth', takesKey: false },
  createWebhook: { method: 'POST', path: '/v1/webhooks', key: 'secret', takesKey: true },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', key: 'secret', takesKey: false },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}', key: 'secret', takesKey: false },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}', key: 'secret', takesKey: true },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', key: 'secret', takesKey: true },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test', key: 'secret', takesKey: true },
  rollWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/secret', key: 'secret', takesKey: true },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    key: 'secret',
    takesKey: false,
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{event_id}/resend',
    key: 'secret',
    takesKey: true,
  },
  listEvents: { method: 'GET', path: '/v1/events', key: 'secret', takesKey: false },
  getEvent: { method: 'GET', path: '/v1/events/{id}', key: 'secret', takesKey: false },
} as const
