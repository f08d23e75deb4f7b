// Generated, do not edit: `npm run client:types` makes it of the description of the API; a test says when it is out of date.

/** Why the service refused. A later version may have others. */
export type ErrorCode =
  | 'validation_error'
  | 'token_not_found'
  | 'unauthorized'
  | 'token_expired'
  | 'forbidden'
  | 'password_required'
  | 'feature_not_enabled'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_in_progress'
  | 'amendment_pending'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'unfulfilled_condition'
  | 'amount_exceeds_authorised'
  | 'amount_exceeds_captured'
  | 'authorisation_expired'
  | 'checkout_expired'
  | 'outside_terms'
  | 'debtor_not_found'
  | 'gateway_not_found'
  | 'template_not_found'
  | 'unknown_workflow_version'
  | 'transaction_declined'
  | 'insufficient_funds'
  | 'credit_card_invalid_or_expired'
  | 'fraud_warning'
  | 'rate_limited'
  | 'system_error'
  | 'gateway_unavailable'
  | 'network_unavailable'
  | 'outcome_unknown'
  | 'service_unavailable'

/** Units of the currency with at most two decimals, from 0.01 to 9999999.99. */
export type Amount = string | number

/** By the `type` of the event: a charge, a checkout, an agreement, or a payment of one. */
export type EventData = Charge | CheckoutWithJourney | Agreement | AgreementPayment

export interface Charge {
  /** Its id: 24 hex characters. */
  _id: string
  /** Always `financial`. */
  type: 'financial'
  /** processing: not answered yet; pending: funds are held; complete: taken; cancelled: released; failed; refunded: all of it went back. */
  status: 'processing' | 'pending' | 'complete' | 'cancelled' | 'failed' | 'refunded'
  /** Whether the money was taken. */
  capture: boolean
  /** Whether it began as a hold. */
  authorization: boolean
  /** Always false: charges are not archived. */
  archived: boolean
  /** Always true: the token of a card serves one charge. */
  one_off: boolean
  /** In units of the currency. */
  amount: number
  /** ISO 4217. The service takes `AUD`. */
  currency: string
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference: string | null
  /** Yours, for people: what is paid for. */
  description: string | null
  /** Always empty. */
  items: never[]
  /** Always without items: the money is not split. */
  transfer: {
    /** Always empty. */
    items: never[]
  }
  /** Charges follow no schedule. */
  schedule: {
    /** Always false. */
    stopped: boolean
  }
  /** Sums over the charge. */
  statistics: {
    /** How much went back, in units of the currency. */
    total_refunded_amount: number
    /** Whether all of it went back. */
    full_refund: boolean
    /** Always false: nothing waits to be summed up. */
    need_sync: boolean
  }
  /** Who pays: what your request says, else what the card form said. */
  customer: {
    /** First name of the customer. */
    first_name?: string
    /** Last name of the customer. */
    last_name?: string
    /** Phone number of the customer, as you write it. */
    phone?: string
    /** E-mail address of the customer. */
    email?: string
    /** The card, as far as it may be shown. */
    payment_source: {
      /** Always `card`. */
      type: 'card'
      /** The gateway that the card is charged by. */
      gateway_id: string
      /** The name that you gave this gateway. */
      gateway_name: string
      /** The kind of gateway: `sandbox` or `adyen`, for example. */
      gateway_type: string
      /** What the gateway knows the card by; null where it has no such name. */
      ref_token: string | null
      /** The last four digits of the card number. */
      card_number_last4: string
      /** The leading digits: 8 where the scheme has BINs of 8 digits, else 6. */
      card_number_bin: string
      /** The name on the card. */
      card_name: string
      /** The month in which the card expires, 1 to 12. */
      expire_month: number
      /** The year in which the card expires, four digits. */
      expire_year: number
      /** The scheme in lower case: `visa`, `mastercard`, `amex` … */
      card_scheme: string
      /** Always empty. */
      items: never[]
      /** Street and number. */
      address_line1?: string
      /** Flat, floor or building. */
      address_line2?: string
      /** Company, as the card form has it. */
      address_company?: string
      /** Town or suburb. */
      city?: string
      /** State or territory. */
      state?: string
      /** Postcode. */
      postcode?: string
      /** Country. */
      country?: string
    }
  }
  /** Every movement of the charge, oldest first. */
  transactions: {
    /** Its id. The gateway and the log know the movement by it. */
    _id: string
    /** `sale`: charged or held; `capture`: held funds were taken; `cancel`: they were released; `refund`: money went back. */
    type: 'sale' | 'capture' | 'cancel' | 'refund'
    /** `pending`: the funds are held; `complete`: it is done; `cancelled`: the hold was released; `failed`: see `error_code`. */
    status: 'pending' | 'complete' | 'cancelled' | 'failed'
    /** What this movement was for, in units of the currency. */
    amount: number
    /** ISO 4217. The service takes `AUD`. */
    currency: string
    /** Always null: fees are not known here. */
    amount_fee: number | null
    /** Always null: no surcharge is added. */
    amount_surcharge: number | null
    /** Always null: an amount is charged as it was asked for. */
    amount_original: number | null
    /** The gateway's own code: `00` where it approved. */
    gateway_specific_code: string | null
    /** The gateway's own words for it. */
    gateway_specific_description: string | null
    /** Why it failed, in words; null where it did not. */
    error_message: string | null
    /** Why it failed, as `error.code` says it; null where it did not. */
    error_code: string | null
    /** Why it failed, or why a hold ended; null otherwise. */
    status_code: string | null
    /** The same in words. */
    status_code_description: string | null
    /** True on the movements of a hold that was captured. Absent once it was cancelled. */
    include_authorization?: boolean
    /** The address that the request came from; null where it is not known. */
    _source_ip_address?: string | null
    /** The gateway's own id of this movement; null until it is known. */
    external_id: string | null
    /** The gateway's reference, which statements show; null until it is known. */
    external_reference: string | null
    /** When it was made (ISO 8601, UTC). */
    created_at: string
    /** When the funds were held. On a `sale` that began as a hold. */
    pended_at?: string
  }[]
  /** The merchant. */
  company_id: string
  /** Always null: no surcharge is added. */
  amount_surcharge: number | null
  /** Always null: an amount is charged as it was asked for. */
  amount_original: number | null
  /** The gateway's own id of the sale. */
  external_id: string | null
  /** The address that the request came from; null where it is not known. */
  _source_ip_address: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
  /** Counts the changes of the charge. */
  __v: number
}

export interface Checkout {
  /** Its id: 24 hex characters. */
  _id: string
  /** The workflow version that it was made for. */
  version: number
  /** active: can be paid; completed: its charge was made; expired: 16 minutes are over; cancelled. */
  status: 'active' | 'completed' | 'expired' | 'cancelled'
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount: number
  /** ISO 4217. The service takes `AUD`. */
  currency: string
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference: string | null
  /** Yours, for people: what is paid for. */
  description: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
  /** For the page: a JWT of 16 minutes. Null once the checkout has ended or has no tries left, and in lists. */
  token: string | null
  /** The SDK that the page loads; null when no release serves the version. */
  recommended_sdk_version_url: string | null
  /** For the `integrity` of its script element. */
  recommended_sdk_version_integrity: string | null
}

export interface CheckoutWithJourney {
  /** Its id: 24 hex characters. */
  _id: string
  /** The workflow version that it was made for. */
  version: number
  /** active: can be paid; completed: its charge was made; expired: 16 minutes are over; cancelled. */
  status: 'active' | 'completed' | 'expired' | 'cancelled'
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount: number
  /** ISO 4217. The service takes `AUD`. */
  currency: string
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference: string | null
  /** Yours, for people: what is paid for. */
  description: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
  /** For the page: a JWT of 16 minutes. Null once the checkout has ended or has no tries left, and in lists. */
  token: string | null
  /** The SDK that the page loads; null when no release serves the version. */
  recommended_sdk_version_url: string | null
  /** For the `integrity` of its script element. */
  recommended_sdk_version_integrity: string | null
  /** Until when it can be paid (ISO 8601, UTC). */
  expires_at: string
  /** The charge that paid it. */
  charge_id: string | null
  /** What happened, in order. */
  journey: {
    /** What happened. */
    step: 'created' | 'viewed' | 'payment_tried' | 'payment_failed' | 'paid' | 'expired' | 'cancelled'
    /** When it happened (ISO 8601, UTC). */
    at: string
    /** The charge of a step that paid, or tried to. */
    charge_id?: string
    /** The `error.code` of a payment that failed. */
    code?: string
  }[]
}

export interface CheckoutVersion {
  /** A workflow version that checkouts can be made for. */
  version: number
  /** It works as ever; no new integration should ask for it. */
  is_retired: boolean
  /** The SDK that the page loads; null when no release serves the version. */
  recommended_sdk_version_url: string | null
  /** For the `integrity` of its script element; null likewise. */
  recommended_sdk_version_integrity: string | null
}

export interface CheckoutTemplate {
  /** Its id: 24 hex characters. */
  _id: string
  /** `configuration`: cards, fields and capture. `customisation`: looks and words. */
  type: 'configuration' | 'customisation'
  /** Which schema `content` is of. */
  version: number
  /** A name of yours for the template; null without one. */
  label: string | null
  /** What it says, by the schema of its type and version. */
  content: Record<string, unknown>
  /** Counts its changes, from 1. */
  revision: number
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
}

export interface Agreement {
  /** Its id: 24 hex characters. */
  _id: string
  /** `oneoff`: one payment; `recurring`: with a frequency; `adhoc`: when they fall due. */
  type: 'oneoff' | 'recurring' | 'adhoc'
  /** created: the debtor has not answered; active: it can be paid by; suspended; cancelled or expired: it has ended. */
  status: 'created' | 'active' | 'suspended' | 'cancelled' | 'expired'
  /** Counts the amendments that took effect. */
  version: number
  /** What the payer reads. */
  description: string
  /** The same in short, where a bank has no room. */
  short_description: string | null
  /** What the payments are for, as the network sorts them. */
  purpose:
    | 'mortgage'
    | 'utility'
    | 'loan'
    | 'dependant_support'
    | 'gambling'
    | 'retail'
    | 'salary'
    | 'personal'
    | 'government'
    | 'pension'
    | 'tax'
    | 'other'
  /** The first day, in Sydney. */
  start_date: string
  /** The last day, in Sydney; null or left out where it has none. */
  end_date: string | null
  /** Who pays. */
  debtor: {
    /** Who pays, as the payer is called. */
    name: string
    /** `person` or `organisation`. */
    type: 'person' | 'organisation'
    /** A bank account. */
    account?: {
      /** The bank and branch: 6 digits. */
      bsb: string
      /** The number of the account, up to 9 digits. Answers show its last three. */
      account_number: string
    }
    /** What the account is known by (PayID), in place of `account`. Answers show it masked. */
    pay_id?: {
      /** What kind of name it is. */
      type: 'EMAIL' | 'PHONE' | 'ABN' | 'ORGANISATION'
      /** An e-mail address, `+61-412345678`, an ABN of 11 digits, or a name, by its type. */
      value: string
    }
  }
  /** Who is paid. */
  creditor: {
    /** Who is paid, as the payer knows you. */
    name: string
    /** A bank account. */
    account: {
      /** The bank and branch: 6 digits. */
      bsb: string
      /** The number of the account, up to 9 digits. Answers show its last three. */
      account_number: string
    }
  }
  /** How much is paid and how often. */
  payment_terms: {
    /** `fixed`: each payment is `amount`; `variable`, `usage`, `balance`: each is `maximum_amount` at most. */
    amount_type: 'fixed' | 'variable' | 'usage' | 'balance'
    /** Of each payment, when fixed. Else it is left out or null. */
    amount: number | null
    /** The most that a payment may be, unless fixed. Else it is left out or null. */
    maximum_amount: number | null
    /** How long a period is. For a recurring agreement alone. */
    frequency: 'daily' | 'weekly' | 'fortnightly' | 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | null
    /** How many payments you may send in a period. */
    count_per_period: number | null
    /** The day of the period, from 1, on which the service collects by itself. */
    point_in_period: number | null
    /** A first payment of another amount or on another day. */
    first_payment: {
      /** Its day, in Sydney. */
      date: string
      /** Its amount, in units of the currency. */
      amount: number
    } | null
    /** A last payment of another amount or on another day. */
    last_payment: {
      /** Its day, in Sydney. */
      date: string
      /** Its amount, in units of the currency. */
      amount: number
    } | null
  }
  /** How many payments there may be in all. For an adhoc agreement alone. */
  max_number_of_payments: number | null
  /** Without an answer of the debtor by then it is cancelled. */
  response_required_by: string
  /** What the debtor was asked for and has not answered. */
  pending_amendment: {
    /** How much is paid and how often. */
    payment_terms?: {
      /** `fixed`: each payment is `amount`; `variable`, `usage`, `balance`: each is `maximum_amount` at most. */
      amount_type: 'fixed' | 'variable' | 'usage' | 'balance'
      /** Of each payment, when fixed. Else it is left out or null. */
      amount: number | null
      /** The most that a payment may be, unless fixed. Else it is left out or null. */
      maximum_amount: number | null
      /** How long a period is. For a recurring agreement alone. */
      frequency:
        | 'daily'
        | 'weekly'
        | 'fortnightly'
        | 'monthly'
        | 'quarterly'
        | 'half_yearly'
        | 'yearly'
        | null
      /** How many payments you may send in a period. */
      count_per_period: number | null
      /** The day of the period, from 1, on which the service collects by itself. */
      point_in_period: number | null
      /** A first payment of another amount or on another day. */
      first_payment: {
        /** Its day, in Sydney. */
        date: string
        /** Its amount, in units of the currency. */
        amount: number
      } | null
      /** A last payment of another amount or on another day. */
      last_payment: {
        /** Its day, in Sydney. */
        date: string
        /** Its amount, in units of the currency. */
        amount: number
      } | null
    }
    /** The last day, in Sydney; null or left out where it has none. */
    end_date?: string
    /** How many payments there may be in all. For an adhoc agreement alone. */
    max_number_of_payments?: number
    /** Until when the payer has to answer. */
    response_required_by: string
    /** When the payer was asked. */
    requested_at: string
  } | null
  /** Who suspended it, and alone can release it; where it is both, each releases its own. */
  suspended_by: 'creditor' | 'debtor' | 'both' | null
  /** Why it was suspended or cancelled. */
  reason_code:
    | 'customer_request'
    | 'contract_ended'
    | 'contract_amended'
    | 'dispute'
    | 'fraud_suspected'
    | 'account_closed'
    | 'payer_deceased'
    | 'not_specified'
    | null
  /** The same in words of yours. */
  reason: string | null
  /** Yours: the number of a customer, for example. */
  reference: string | null
  /** Yours: up to 20 texts of up to 500 characters, by names of up to 40. */
  metadata: Record<string, string>
  /** The day, in Sydney, of the next payment that the service makes by itself. */
  next_collection_date: string | null
  /** What happened to it, oldest first. There when it is read by its id. */
  history?: {
    /** What happened. */
    type:
      | 'created'
      | 'accepted'
      | 'declined'
      | 'lapsed'
      | 'amended'
      | 'amendment_requested'
      | 'amendment_declined'
      | 'amendment_lapsed'
      | 'suspended'
      | 'released'
      | 'cancelled'
      | 'expired'
      | 'collection_skipped'
    /** The status after it. */
    status: 'created' | 'active' | 'suspended' | 'cancelled' | 'expired'
    /** The version after it. */
    version: number
    /** Who did it: `creditor` is you, `debtor` the payer. */
    by: 'creditor' | 'debtor' | 'service'
    /** When it happened (ISO 8601, UTC). */
    at: string
    /** Why, where it was suspended or cancelled. */
    reason_code?:
      | 'customer_request'
      | 'contract_ended'
      | 'contract_amended'
      | 'dispute'
      | 'fraud_suspected'
      | 'account_closed'
      | 'payer_deceased'
      | 'not_specified'
    /** The same in words. */
    reason?: string
  }[]
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
}

export interface AgreementValidation {
  /** Always true. What would not be taken is answered as an error. */
  valid: true
  /** Whose the debtor's account is, by the network; null where it does not tell. */
  resolved_name: string | null
  /** The first day, in Sydney. */
  start_date: string
  /** Until when the payer has to answer. */
  response_required_by: string
}

export interface AgreementPayment {
  /** Its id: 24 hex characters. */
  _id: string
  /** The agreement that it is paid by. */
  agreement_id: string
  /** The version of the agreement by which it was accepted. */
  agreement_version: number
  /** received: accepted; processing: on its way to the network; settled; failed: `failure` says why; under_investigation: it will settle or fail. */
  status: 'received' | 'processing' | 'settled' | 'failed' | 'under_investigation'
  /** In units of the currency. */
  amount: number
  /** ISO 4217. The service takes `AUD`. */
  currency: 'AUD'
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference: string
  /** What the payer reads of this payment; null without one. */
  description: string | null
  /** No other payment follows it. */
  last_payment: boolean
  /** The day for which the service made it; null when the merchant sent it. */
  due_on: string | null
  /** Why nothing was paid; null unless it failed. */
  failure: {
    /** `insufficient_funds`, `account_closed`, `agreement_not_active`, `limit_exceeded` or `refused`. */
    code: 'insufficient_funds' | 'account_closed' | 'agreement_not_active' | 'limit_exceeded' | 'refused'
    /** The same in words, for people. They may change. */
    message: string
  } | null
  /** The network's own id of the payment. */
  network_reference: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
  /** When it last changed (ISO 8601, UTC). */
  updated_at: string
  /** When you were paid; null until then. */
  settled_at: string | null
}

export interface Webhook {
  /** Its id: 24 hex characters. */
  _id: string
  /** Where the events are POSTed to. */
  url: string
  /** The types of events that are sent there. */
  events: (
    | 'charge.authorised'
    | 'charge.captured'
    | 'charge.cancelled'
    | 'charge.expired'
    | 'charge.refunded'
    | 'charge.failed'
    | 'charge.capture_failed'
    | 'charge.cancel_failed'
    | 'charge.refund_failed'
    | 'checkout.completed'
    | 'checkout.expired'
    | 'checkout.cancelled'
    | 'agreement.created'
    | 'agreement.accepted'
    | 'agreement.declined'
    | 'agreement.lapsed'
    | 'agreement.amended'
    | 'agreement.amendment_requested'
    | 'agreement.amendment_declined'
    | 'agreement.amendment_lapsed'
    | 'agreement.suspended'
    | 'agreement.released'
    | 'agreement.cancelled'
    | 'agreement.expired'
    | 'agreement.collection_skipped'
    | 'payment.received'
    | 'payment.processing'
    | 'payment.settled'
    | 'payment.failed'
    | 'payment.under_investigation'
  )[]
  /** disabled: its server said 410 Gone, or you did, and nothing is sent there until you enable it. */
  status: 'enabled' | 'disabled'
  /** What its messages are signed with (Standard Webhooks): shown by the answer that makes it, this once. */
  secret?: string
  /** Until when messages are signed by the secrets that were replaced, too; null when the newest signs alone. */
  old_secret_ends_at: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
}

export interface WebhookDelivery {
  /** The `webhook-id` of its messages. */
  event_id: string
  /** The type of the event: `charge.captured`, for example. */
  type: string
  /** The `_id` of the charge, checkout, agreement or payment that the event is about; of a test, the webhook’s. */
  resource_id: string
  /** The same for an event of a charge; null for any other. */
  charge_id: string | null
  /** waiting: it is sent at next_at; failed: nobody tries again. */
  status: 'waiting' | 'delivered' | 'failed'
  /** How often it was sent so far. */
  attempts: number
  /** The HTTP status of the last answer of your server; null if there was none. */
  last_status: number | null
  /** Why the last attempt failed, in words; null if none failed. */
  last_fault: string | null
  /** When it is sent next; null when it is not sent again. */
  next_at: string | null
  /** When your server took it; null until then. */
  delivered_at: string | null
  /** When it was made (ISO 8601, UTC). */
  created_at: string
}

export interface Event {
  /** The `webhook-id` of its messages. */
  _id: string
  /** What happened. */
  type:
    | 'charge.authorised'
    | 'charge.captured'
    | 'charge.cancelled'
    | 'charge.expired'
    | 'charge.refunded'
    | 'charge.failed'
    | 'charge.capture_failed'
    | 'charge.cancel_failed'
    | 'charge.refund_failed'
    | 'checkout.completed'
    | 'checkout.expired'
    | 'checkout.cancelled'
    | 'agreement.created'
    | 'agreement.accepted'
    | 'agreement.declined'
    | 'agreement.lapsed'
    | 'agreement.amended'
    | 'agreement.amendment_requested'
    | 'agreement.amendment_declined'
    | 'agreement.amendment_lapsed'
    | 'agreement.suspended'
    | 'agreement.released'
    | 'agreement.cancelled'
    | 'agreement.expired'
    | 'agreement.collection_skipped'
    | 'payment.received'
    | 'payment.processing'
    | 'payment.settled'
    | 'payment.failed'
    | 'payment.under_investigation'
  /** When it happened. */
  timestamp: string
  /** What it is about, as it was right after the event. */
  data: EventData
}

export interface ListCharges {
  /** How it stands. */
  status?: 'processing' | 'pending' | 'complete' | 'cancelled' | 'failed' | 'refunded' | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** From this time on: `2026-11-21T10:00:00.000Z`. */
  'created_at.from'?: string | undefined
  /** Before this time. */
  'created_at.to'?: string | undefined
  /** 1 to 100. */
  limit?: number | undefined
  /** 0 to 10000; `cursor` goes further. */
  skip?: number | undefined
  /** The `next` of an earlier page. */
  cursor?: string | undefined
}

export interface CreateCharge {
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount: Amount
  /** ISO 4217. The service takes `AUD`. */
  currency: 'AUD'
  /** Whether the money is taken. */
  capture?: boolean | 'true' | 'false'
  /** The widget's `payment_source`, or the answer to a tokenise request. Good for one charge. */
  token: string
  /** Yours: an order number, for example. */
  reference?: string | undefined
  /** Yours, for people: what is paid for. */
  description?: string | undefined
  /** Who pays: what your request says, else what the card form said. */
  customer?:
    | {
        /** First name of the customer. */
        first_name?: string | undefined
        /** Last name of the customer. */
        last_name?: string | undefined
        /** Phone number of the customer, as you write it. */
        phone?: string | undefined
        /** E-mail address of the customer. */
        email?: string | undefined
        /** The billing address of the card. */
        payment_source?:
          | {
              /** Street and number. */
              address_line1?: string | undefined
              /** Flat, floor or building. */
              address_line2?: string | undefined
              /** Town or suburb. */
              city?: string | undefined
              /** State or territory. */
              state?: string | undefined
              /** Postcode. */
              postcode?: string | undefined
              /** Country. */
              country?: string | undefined
              /** Town or suburb, as the card form has it. */
              address_city?: string | undefined
              /** State, as the card form has it. */
              address_state?: string | undefined
              /** Postcode, as the card form has it. */
              address_postcode?: string | undefined
              /** Country, as the card form has it. */
              address_country?: string | undefined
            }
          | undefined
      }
    | undefined
}

export interface CaptureCharge {
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount?: Amount
}

export interface RefundCharge {
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount?: Amount
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
}

export interface CreateCheckout {
  /** The workflow version, an integer; see GET /v1/checkouts/versions. */
  version: number
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount: Amount
  /** ISO 4217. The service takes `AUD`. */
  currency?: 'AUD' | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** Yours, for people: what is paid for. */
  description?: string | undefined
  /** A template of which cards, fields and gateway, and when the money is taken. */
  configuration?:
    | {
        /** The `_id` of a template of this type. */
        template_id: string
      }
    | undefined
  /** A template of looks and words. */
  customisation?:
    | {
        /** The `_id` of a template of this type. */
        template_id: string
      }
    | undefined
  /** Fills the fields of the form that are of the same name, and the charge. */
  customer?:
    | {
        /** E-mail address of the customer. */
        email?: string | undefined
        /** Phone number of the customer, as you write it. */
        phone?: string | undefined
        /** The billing address of the card. */
        billing_address?:
          | {
              /** Street and number. */
              address_line1?: string | undefined
              /** Flat, floor or building. */
              address_line2?: string | undefined
              /** Town or suburb. */
              city?: string | undefined
              /** State or territory. */
              state?: string | undefined
              /** Postcode. */
              postcode?: string | undefined
              /** Country. */
              country?: string | undefined
              /** Town or suburb, as the card form has it. */
              address_city?: string | undefined
              /** State, as the card form has it. */
              address_state?: string | undefined
              /** Postcode, as the card form has it. */
              address_postcode?: string | undefined
              /** Country, as the card form has it. */
              address_country?: string | undefined
            }
          | undefined
      }
    | undefined
}

export interface ListCheckouts {
  /** How it stands. */
  status?: 'active' | 'completed' | 'expired' | 'cancelled' | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** Made at this time or later: `2026-11-21T10:00:00.000Z`. */
  'created_at.from'?: string | undefined
  /** Made before this time. */
  'created_at.to'?: string | undefined
  /** How many a page has at the most. */
  limit?: number | undefined
  /** How many are left out at the beginning, up to 10000. `cursor` goes further. */
  skip?: number | undefined
  /** The `resource.next` of an earlier page: the answer goes on after it. */
  cursor?: string | undefined
}

export interface CreateCheckoutTemplate {
  /** The version of the schema that `content` follows. */
  version: number
  /** A name of yours for the template; null without one. */
  label?: string | undefined
  /** By the schema of its type and version. */
  content: Record<string, unknown>
}

export interface ListCheckoutTemplates {
  /** `configuration` or `customisation`. */
  type: 'configuration' | 'customisation'
  /** How many a page has at the most. */
  limit?: number | undefined
  /** The `resource.next` of an earlier page: the answer goes on after it. */
  cursor?: string | undefined
}

export interface AmendAgreement {
  /** What the payer reads: one line. */
  description?: string | undefined
  /** The same in short, where a bank has no room. */
  short_description?: string | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** In place of what there is. */
  metadata?: Record<string, string> | undefined
  /** All of them, also those that stay. */
  payment_terms?:
    | {
        /** `fixed`: each payment is `amount`; `variable`, `usage`, `balance`: each is `maximum_amount` at most. */
        amount_type: 'fixed' | 'variable' | 'usage' | 'balance'
        /** Of each payment, when fixed. Else it is left out or null. */
        amount?: Amount
        /** The most that a payment may be, unless fixed. Else it is left out or null. */
        maximum_amount?: Amount | undefined
        /** How long a period is. For a recurring agreement alone. */
        frequency?:
          | 'daily'
          | 'weekly'
          | 'fortnightly'
          | 'monthly'
          | 'quarterly'
          | 'half_yearly'
          | 'yearly'
          | undefined
        /** How many payments you may send in a period. */
        count_per_period?: number | undefined
        /** The day of the period, from 1, on which the service collects by itself. */
        point_in_period?: number | undefined
        /** A first payment of another amount or on another day. */
        first_payment?:
          | {
              /** Its day, in Sydney. */
              date: string
              /** Its amount, in units of the currency. */
              amount: Amount
            }
          | undefined
        /** A last payment of another amount or on another day. */
        last_payment?:
          | {
              /** Its day, in Sydney. */
              date: string
              /** Its amount, in units of the currency. */
              amount: Amount
            }
          | undefined
      }
    | undefined
  /** The last day, in Sydney; null or left out where it has none. */
  end_date?: string | undefined
  /** How many payments there may be in all. For an adhoc agreement alone. */
  max_number_of_payments?: number | undefined
  /** Within 5 days; in 5 days, when left out. */
  response_required_by?: string | undefined
}

export interface ListAgreements {
  /** How it stands. */
  status?: 'created' | 'active' | 'suspended' | 'cancelled' | 'expired' | undefined
  /** Of this type alone. */
  type?: 'oneoff' | 'recurring' | 'adhoc' | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** Made at this time or later: `2026-11-21T10:00:00.000Z`. */
  'created_at.from'?: string | undefined
  /** Made before this time. */
  'created_at.to'?: string | undefined
  /** How many a page has at the most. */
  limit?: number | undefined
  /** How many are left out at the beginning, up to 10000. `cursor` goes further. */
  skip?: number | undefined
  /** The `resource.next` of an earlier page: the answer goes on after it. */
  cursor?: string | undefined
}

export interface CreateAgreement {
  /** `oneoff`: one payment; `recurring`: with a frequency; `adhoc`: when they fall due. */
  type: 'oneoff' | 'recurring' | 'adhoc'
  /** What the payer reads: one line. */
  description: string
  /** The same in short, where a bank has no room. */
  short_description?: string | undefined
  /** What the payments are for, as the network sorts them. */
  purpose:
    | 'mortgage'
    | 'utility'
    | 'loan'
    | 'dependant_support'
    | 'gambling'
    | 'retail'
    | 'salary'
    | 'personal'
    | 'government'
    | 'pension'
    | 'tax'
    | 'other'
  /** A day in Sydney; today, when left out. */
  start_date?: string | undefined
  /** The last day. */
  end_date?: string | undefined
  /** Who pays, by an account or a PayID. */
  debtor: {
    /** Who pays, as the payer is called. */
    name: string
    /** `person` or `organisation`. */
    type: 'person' | 'organisation'
    /** A bank account. */
    account?:
      | {
          /** The bank and branch: 6 digits. */
          bsb: string
          /** The number of the account, up to 9 digits. Answers show its last three. */
          account_number: string
        }
      | undefined
    /** What the account is known by (PayID), in place of `account`. Answers show it masked. */
    pay_id?:
      | {
          /** What kind of name it is. */
          type: 'EMAIL'
          /** An e-mail address, `+61-412345678`, an ABN of 11 digits, or a name, by its type. */
          value: string
        }
      | {
          /** What kind of name it is. */
          type: 'PHONE'
          /** An e-mail address, `+61-412345678`, an ABN of 11 digits, or a name, by its type. */
          value: string
        }
      | {
          /** What kind of name it is. */
          type: 'ABN'
          /** An e-mail address, `+61-412345678`, an ABN of 11 digits, or a name, by its type. */
          value: string
        }
      | {
          /** What kind of name it is. */
          type: 'ORGANISATION'
          /** An e-mail address, `+61-412345678`, an ABN of 11 digits, or a name, by its type. */
          value: string
        }
      | undefined
  }
  /** Who is paid. */
  creditor: {
    /** Who is paid, as the payer knows you. */
    name: string
    /** A bank account. */
    account: {
      /** The bank and branch: 6 digits. */
      bsb: string
      /** The number of the account, up to 9 digits. Answers show its last three. */
      account_number: string
    }
  }
  /** How much is paid and how often. */
  payment_terms: {
    /** `fixed`: each payment is `amount`; `variable`, `usage`, `balance`: each is `maximum_amount` at most. */
    amount_type: 'fixed' | 'variable' | 'usage' | 'balance'
    /** Of each payment, when fixed. Else it is left out or null. */
    amount?: Amount
    /** The most that a payment may be, unless fixed. Else it is left out or null. */
    maximum_amount?: Amount | undefined
    /** How long a period is. For a recurring agreement alone. */
    frequency?:
      | 'daily'
      | 'weekly'
      | 'fortnightly'
      | 'monthly'
      | 'quarterly'
      | 'half_yearly'
      | 'yearly'
      | undefined
    /** How many payments you may send in a period. */
    count_per_period?: number | undefined
    /** The day of the period, from 1, on which the service collects by itself. */
    point_in_period?: number | undefined
    /** A first payment of another amount or on another day. */
    first_payment?:
      | {
          /** Its day, in Sydney. */
          date: string
          /** Its amount, in units of the currency. */
          amount: Amount
        }
      | undefined
    /** A last payment of another amount or on another day. */
    last_payment?:
      | {
          /** Its day, in Sydney. */
          date: string
          /** Its amount, in units of the currency. */
          amount: Amount
        }
      | undefined
  }
  /** How many payments there may be in all. For an adhoc agreement alone. */
  max_number_of_payments?: number | undefined
  /** Within 5 days; in 5 days, when left out. */
  response_required_by?: string | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** Yours: up to 20 texts of up to 500 characters, by names of up to 40. */
  metadata?: Record<string, string> | undefined
}

export interface ChangeAgreementStatus {
  /** `suspend`, `release` or `cancel`. */
  action: 'suspend' | 'release' | 'cancel'
  /** Required to suspend and to cancel. */
  reason_code?:
    | 'customer_request'
    | 'contract_ended'
    | 'contract_amended'
    | 'dispute'
    | 'fraud_suspected'
    | 'account_closed'
    | 'payer_deceased'
    | 'not_specified'
    | undefined
  /** The same in words of yours. */
  reason?: string | undefined
}

export interface CreateAgreementPayment {
  /** In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99. */
  amount: Amount
  /** What both sides read on their statements: an invoice number, say. */
  reference: string
  /** What the payer reads of this payment. */
  description?: string | undefined
  /** No other payment follows: the agreement expires when this one has settled. */
  last_payment?: boolean | undefined
}

export interface ListAgreementPayments {
  /** How it stands. */
  status?: 'received' | 'processing' | 'settled' | 'failed' | 'under_investigation' | undefined
  /** Yours: an order number, for example. Lists can be filtered by it. */
  reference?: string | undefined
  /** Made at this time or later: `2026-11-21T10:00:00.000Z`. */
  'created_at.from'?: string | undefined
  /** Made before this time. */
  'created_at.to'?: string | undefined
  /** How many a page has at the most. */
  limit?: number | undefined
  /** How many are left out at the beginning, up to 10000. `cursor` goes further. */
  skip?: number | undefined
  /** The `resource.next` of an earlier page: the answer goes on after it. */
  cursor?: string | undefined
}

export interface CreateWebhook {
  /** https (in sandbox http for localhost too), without a user name or fragment. */
  url: string
  /** All of them when left out. `*` among them: all of them, also those that come to exist later. */
  events?:
    | (
        | 'charge.authorised'
        | 'charge.captured'
        | 'charge.cancelled'
        | 'charge.expired'
        | 'charge.refunded'
        | 'charge.failed'
        | 'charge.capture_failed'
        | 'charge.cancel_failed'
        | 'charge.refund_failed'
        | 'checkout.completed'
        | 'checkout.expired'
        | 'checkout.cancelled'
        | 'agreement.created'
        | 'agreement.accepted'
        | 'agreement.declined'
        | 'agreement.lapsed'
        | 'agreement.amended'
        | 'agreement.amendment_requested'
        | 'agreement.amendment_declined'
        | 'agreement.amendment_lapsed'
        | 'agreement.suspended'
        | 'agreement.released'
        | 'agreement.cancelled'
        | 'agreement.expired'
        | 'agreement.collection_skipped'
        | 'payment.received'
        | 'payment.processing'
        | 'payment.settled'
        | 'payment.failed'
        | 'payment.under_investigation'
        | '*'
      )[]
    | undefined
}

export interface UpdateWebhook {
  /** https (in sandbox http for localhost too), without a user name or fragment. */
  url?: string | undefined
  /** `*` among them: all of them, also those that come to exist later. */
  events?:
    | (
        | 'charge.authorised'
        | 'charge.captured'
        | 'charge.cancelled'
        | 'charge.expired'
        | 'charge.refunded'
        | 'charge.failed'
        | 'charge.capture_failed'
        | 'charge.cancel_failed'
        | 'charge.refund_failed'
        | 'checkout.completed'
        | 'checkout.expired'
        | 'checkout.cancelled'
        | 'agreement.created'
        | 'agreement.accepted'
        | 'agreement.declined'
        | 'agreement.lapsed'
        | 'agreement.amended'
        | 'agreement.amendment_requested'
        | 'agreement.amendment_declined'
        | 'agreement.amendment_lapsed'
        | 'agreement.suspended'
        | 'agreement.released'
        | 'agreement.cancelled'
        | 'agreement.expired'
        | 'agreement.collection_skipped'
        | 'payment.received'
        | 'payment.processing'
        | 'payment.settled'
        | 'payment.failed'
        | 'payment.under_investigation'
        | '*'
      )[]
    | undefined
  /** disabled: what waits for it is given up. */
  status?: 'enabled' | 'disabled' | undefined
}

export interface RollWebhookSecret {
  /** How long what is replaced signs, too; 0: it ends at once. */
  overlap_seconds: number
}

export interface ListWebhookDeliveries {
  /** How it stands. */
  status?: 'waiting' | 'delivered' | 'failed' | undefined
  /** 1 to 100. */
  limit?: number | undefined
  /** The `next` of an earlier page. */
  cursor?: string | undefined
}

export interface ListEvents {
  /** Of this type alone. */
  type?:
    | 'charge.authorised'
    | 'charge.captured'
    | 'charge.cancelled'
    | 'charge.expired'
    | 'charge.refunded'
    | 'charge.failed'
    | 'charge.capture_failed'
    | 'charge.cancel_failed'
    | 'charge.refund_failed'
    | 'checkout.completed'
    | 'checkout.expired'
    | 'checkout.cancelled'
    | 'agreement.created'
    | 'agreement.accepted'
    | 'agreement.declined'
    | 'agreement.lapsed'
    | 'agreement.amended'
    | 'agreement.amendment_requested'
    | 'agreement.amendment_declined'
    | 'agreement.amendment_lapsed'
    | 'agreement.suspended'
    | 'agreement.released'
    | 'agreement.cancelled'
    | 'agreement.expired'
    | 'agreement.collection_skipped'
    | 'payment.received'
    | 'payment.processing'
    | 'payment.settled'
    | 'payment.failed'
    | 'payment.under_investigation'
    | undefined
  /** Made at this time or later: `2026-11-21T10:00:00.000Z`. */
  'created_at.from'?: string | undefined
  /** Made before this time. */
  'created_at.to'?: string | undefined
  /** How many a page has at the most. */
  limit?: number | undefined
  /** The `resource.next` of an earlier page: the answer goes on after it. */
  cursor?: string | undefined
}

/** What each operation takes and answers. */
export interface Operations {
  /** Read a charge */
  getCharge: {
    params: {
      /** The `_id` of a charge. */
      id: string
    }
    answer: Charge
  }
  /** List charges */
  listCharges: {
    query: ListCharges
    item: Charge
  }
  /** Charge a card, or hold its funds */
  createCharge: {
    query: {
      /** `false` holds the funds; `true`, or nothing, takes them. */
      capture?: boolean | 'true' | 'false'
    }
    body: CreateCharge
    answer: Charge
  }
  /** Take held funds */
  captureCharge: {
    params: {
      /** The `_id` of a charge. */
      id: string
    }
    body: CaptureCharge
    answer: Charge
  }
  /** Release held funds */
  cancelCharge: {
    params: {
      /** The `_id` of a charge. */
      id: string
    }
    answer: Charge
  }
  /** Give money back */
  refundCharge: {
    params: {
      /** The `_id` of a charge. */
      id: string
    }
    body: RefundCharge
    answer: Charge
  }
  /** Make a checkout */
  createCheckout: {
    body: CreateCheckout
    answer: Checkout
  }
  /** Read a checkout, with what happened to it */
  getCheckout: {
    params: {
      /** The `_id` of a checkout. */
      id: string
    }
    answer: CheckoutWithJourney
  }
  /** Cancel a checkout that is not paid */
  cancelCheckout: {
    params: {
      /** The `_id` of a checkout. */
      id: string
    }
    answer: CheckoutWithJourney
  }
  /** List checkouts */
  listCheckouts: {
    query: ListCheckouts
    item: Checkout
  }
  /** List the workflow versions and the SDK of each */
  listCheckoutVersions: {
    item: CheckoutVersion
  }
  /** Make a template */
  createCheckoutTemplate: {
    query: {
      /** `configuration` or `customisation`. */
      type: 'configuration' | 'customisation'
    }
    body: CreateCheckoutTemplate
    answer: CheckoutTemplate
  }
  /** List templates of a type */
  listCheckoutTemplates: {
    query: ListCheckoutTemplates
    item: CheckoutTemplate
  }
  /** Read a template */
  getCheckoutTemplate: {
    params: {
      /** The `_id` of a template. */
      id: string
    }
    answer: CheckoutTemplate
  }
  /** Replace a template */
  replaceCheckoutTemplate: {
    params: {
      /** The `_id` of a template. */
      id: string
    }
    body: CreateCheckoutTemplate
    answer: CheckoutTemplate
  }
  /** Read an agreement, with its history */
  getAgreement: {
    params: {
      /** The `_id` of an agreement. */
      id: string
    }
    answer: Agreement
  }
  /** Amend an agreement */
  amendAgreement: {
    params: {
      /** The `_id` of an agreement. */
      id: string
    }
    body: AmendAgreement
    answer: Agreement
  }
  /** List agreements */
  listAgreements: {
    query: ListAgreements
    item: Agreement
  }
  /** Ask a payer for its authority to be paid */
  createAgreement: {
    body: CreateAgreement
    answer: Agreement
  }
  /** Try out what creating an agreement would answer */
  validateAgreement: {
    body: CreateAgreement
    answer: AgreementValidation
  }
  /** Suspend, release or cancel an agreement */
  changeAgreementStatus: {
    params: {
      /** The `_id` of an agreement. */
      id: string
    }
    body: ChangeAgreementStatus
    answer: Agreement
  }
  /** Take a payment from the debtor */
  createAgreementPayment: {
    params: {
      /** The `_id` of an agreement. */
      id: string
    }
    body: CreateAgreementPayment
    answer: AgreementPayment
  }
  /** List the payments of an agreement */
  listAgreementPayments: {
    params: {
      /** The `_id` of an agreement. */
      id: string
    }
    query: ListAgreementPayments
    item: AgreementPayment
  }
  /** Read a payment of an agreement */
  getAgreementPayment: {
    params: {
      /** The `_id` of a payment. */
      id: string
    }
    answer: AgreementPayment
  }
  /** Be told of what becomes of charges, checkouts, agreements and payments */
  createWebhook: {
    body: CreateWebhook
    answer: Webhook
  }
  /** List webhooks */
  listWebhooks: {
    item: Webhook
  }
  /** Read a webhook */
  getWebhook: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    answer: Webhook
  }
  /** Change a webhook */
  updateWebhook: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    body: UpdateWebhook
    answer: Webhook
  }
  /** Delete a webhook */
  deleteWebhook: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    answer: Webhook
  }
  /** Try a webhook out */
  testWebhook: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    answer: WebhookDelivery
  }
  /** Give a webhook a new secret */
  rollWebhookSecret: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    body: RollWebhookSecret
    answer: Webhook
  }
  /** See what was sent to a webhook */
  listWebhookDeliveries: {
    params: {
      /** The `_id` of a webhook. */
      id: string
    }
    query: ListWebhookDeliveries
    item: WebhookDelivery
  }
  /** Send an event to a webhook once more */
  resendWebhookDelivery: {
    params: {
      /** The `_id` of a webhook. */
      id: string
      /** The `event_id` of one of its deliveries. */
      event_id: string
    }
    answer: WebhookDelivery
  }
  /** List what happened */
  listEvents: {
    query: ListEvents
    item: Event
  }
  /** Read an event */
  getEvent: {
    params: {
      /** The `_id` of an event. */
      id: string
    }
    answer: Event
  }
}

/** An event as a webhook receives it: `data` is the resource as it was right after it. A later version of the service may send other types: leave what you do not know. */
export type WebhookEvent =
  | {
      type:
        | 'charge.authorised'
        | 'charge.captured'
        | 'charge.cancelled'
        | 'charge.expired'
        | 'charge.refunded'
        | 'charge.failed'
        | 'charge.capture_failed'
        | 'charge.cancel_failed'
        | 'charge.refund_failed'
      timestamp: string
      data: Charge
    }
  | {
      type: 'checkout.completed' | 'checkout.expired' | 'checkout.cancelled'
      timestamp: string
      data: CheckoutWithJourney
    }
  | {
      type:
        | 'agreement.created'
        | 'agreement.accepted'
        | 'agreement.declined'
        | 'agreement.lapsed'
        | 'agreement.amended'
        | 'agreement.amendment_requested'
        | 'agreement.amendment_declined'
        | 'agreement.amendment_lapsed'
        | 'agreement.suspended'
        | 'agreement.released'
        | 'agreement.cancelled'
        | 'agreement.expired'
        | 'agreement.collection_skipped'
      timestamp: string
      data: Agreement
    }
  | {
      type:
        | 'payment.received'
        | 'payment.processing'
        | 'payment.settled'
        | 'payment.failed'
        | 'payment.under_investigation'
      timestamp: string
      data: AgreementPayment
    }
  | { type: 'test.ping'; timestamp: string; data: Webhook }

/** Where each operation is, the key that it asks for, and whether it takes an Idempotency-Key. */
export const operations = {
  getCharge: { method: 'GET', path: '/v1/charges/{id}', key: 'secret', takesKey: false },
  listCharges: { method: 'GET', path: '/v1/charges', key: 'secret', takesKey: false },
  createCharge: { method: 'POST', path: '/v1/charges', key: 'secret', takesKey: true },
  captureCharge: { method: 'POST', path: '/v1/charges/{id}/capture', key: 'secret', takesKey: true },
  cancelCharge: { method: 'DELETE', path: '/v1/charges/{id}/capture', key: 'secret', takesKey: true },
  refundCharge: { method: 'POST', path: '/v1/charges/{id}/refunds', key: 'secret', takesKey: true },
  createCheckout: { method: 'POST', path: '/v1/checkouts/intent', key: 'secret', takesKey: true },
  getCheckout: { method: 'GET', path: '/v1/checkouts/{id}', key: 'secret', takesKey: false },
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
