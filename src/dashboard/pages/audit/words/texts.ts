/** Names of facts and values that do not say it as a person would. */
export const factTexts: {
  names: Readonly<Record<string, string>>
  values: { none: string; yes: string; no: string; known: Readonly<Record<string, string>> }
  outcomes: {
    done: string
    refused: (status: number) => string
    failed: (status: number) => string
    unknown: string
  }
} = {
  names: {
    allowed_origins: 'Origins',
    agreement: 'Agreement',
    asked_by: 'Wanted by',
    authentication: '3-D Secure',
    flow: 'Way',
    by: 'With',
    changed: 'Changed',
    client_id: 'Client',
    decline_reason: 'Declined because',
    deliveries: 'Messages',
    email: 'E-mail',
    event: 'Entry',
    id: 'Id',
    invitation_id: 'Invitation',
    is_default: 'Default',
    key_id: 'Key',
    kind: 'Type',
    merchant_id: 'Company',
    old_ends_at: 'Old one ends',
    passkey_id: 'Passkey',
    pre_auth: 'Funds are held first',
    request_id: 'Request',
    revision: 'Revision',
    revoked_at: 'Ends',
    session_id: 'Session',
    url: 'Address',
  },
  values: {
    none: 'none',
    yes: 'yes',
    no: 'no',
    known: {
      password: 'password',
      totp: 'authenticator app',
      recovery_code: 'recovery code',
      passkey: 'passkey',
      email: 'unknown e-mail address',
      no_merchant: 'works for no company',
      time_zone: 'time zone',
      insufficient_funds: 'not enough funds',
      frictionless: 'without a question',
      challenge: 'with a question',
      attempted: 'the bank stands in',
      not_authenticated: 'not authenticated',
      pre_authentication_pending: 'at the bank',
    },
  },
  outcomes: {
    done: 'Done',
    refused: (status) => `Refused (${String(status)})`,
    failed: (status) => `Failed (${String(status)})`,
    unknown: 'No answer',
  },
}
