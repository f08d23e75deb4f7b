import * as v from 'valibot'
import type { AuthenticationStep } from '../../../../contract/api/charges/authentication.ts'
import type {
  AuthenticationAsked,
  AuthenticationNeeded,
  AuthenticationResult,
  AuthenticationTold,
} from '../gateway.ts'
import type { AdyenRequest } from './checkout-api.ts'

/*
 * 3-D Secure at Adyen, as one's own page does it (docs.adyen.com, "Build your own 3D Secure 2 implementation").
 *
 * Adyen answers a payment with an action: the bank's hidden frame (`fingerprint`), its page (`challenge`), or an address to go to
 * (`redirect`). What comes of each is sent to `/payments/details`, which answers like `/payments`. The bank tells Adyen by itself how the
 * challenge ended, so what the browser brings only says when to ask.
 */

const EXEMPTIONS = {
  trusted_beneficiary: 'trustedBeneficiary',
  low_value: 'lowValue',
  secure_corporate_payment: 'secureCorporate',
  transaction_risk_analysis: 'transactionRiskAnalysis',
} as const

/** Whether the card holder may be asked at all. */
export const mayAsk = ({ wish, browser, made }: AuthenticationAsked) =>
  browser !== null && made === null && wish !== 'never'

/** What `/payments` is told of a sale's authentication. `isSecondTry`: the bank has declined without one. */
export function askedFields(
  asked: AuthenticationAsked,
  isSecondTry: boolean,
): { returnUrl: string; authenticationData: object; additionalData: object } & Record<string, unknown> {
  const { wish, exemption, browser, email, returnUrl, made } = asked
  const additionalData = exemption === null || isSecondTry ? {} : { scaExemption: EXEMPTIONS[exemption] }
  const common = { returnUrl, additionalData }
  if (browser === null || !mayAsk(asked))
    return {
      ...common,
      ...(made !== null && { mpiData: mpiDataOf(made) }),
      authenticationData: { attemptAuthentication: 'never' },
    }
  const isAlways = wish === 'challenge' || isSecondTry
  return {
    ...common,
    authenticationData: {
      ...(isAlways && { attemptAuthentication: 'always' }),
      threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: FULL_SCREEN },
    },
    // Where the bank sends its answer: our own page, not Adyen's, which its components would use.
    threeDS2RequestData: {
      notificationURL: returnUrl,
      ...(isAlways && { threeDSRequestorChallengeInd: isSecondTry ? MANDATE : PREFERENCE }),
    },
    channel: 'Web',
    origin: new URL(returnUrl).origin,
    browserInfo: browserInfoOf(browser),
    // Visa and JCB want both.
    shopperIP: browser.address,
    ...(email !== null && { shopperEmail: email }),
  }
}

/** EMV 3-D Secure: the bank's page fits itself into any frame. */
const FULL_SCREEN = '05'
/** EMV 3-D Secure, `threeDSRequestorChallengeInd`: the merchant would like a challenge, or one is required. */
const [PREFERENCE, MANDATE] = ['03', '04']

/** Those that EMV 3-D Secure knows. */
const COLOUR_DEPTHS = [48, 32, 30, 24, 16, 15, 8, 4, 1]

function browserInfoOf(browser: NonNullable<AuthenticationAsked['browser']>): object {
  return {
    acceptHeader: browser.accept,
    userAgent: browser.userAgent,
    language: browser.language,
    colorDepth: COLOUR_DEPTHS.find((depth) => depth <= browser.color_depth) ?? 24,
    screenHeight: browser.screen_height,
    screenWidth: browser.screen_width,
    timeZoneOffset: browser.time_zone_offset,
    javaEnabled: false,
    javaScriptEnabled: true,
  }
}

function mpiDataOf(made: NonNullable<AuthenticationAsked['made']>): object {
  return {
    cavv: made.cryptogram,
    eci: made.eci,
    dsTransID: made.ds_trans_id,
    threeDSVersion: made.version,
    ...(made.trans_status !== undefined && { directoryResponse: made.trans_status }),
  }
}

const asText = v.optional(v.string(), '')

/** An action as far as it is read; of the kinds that there are, those of 3-D Secure. */
export const Action = v.variant('type', [
  v.object({
    type: v.literal('threeDS2'),
    subtype: v.picklist(['fingerprint', 'challenge']),
    token: v.string(),
    authorisationToken: asText,
    paymentData: asText,
  }),
  v.object({
    type: v.literal('redirect'),
    url: v.string(),
    method: v.optional(v.picklist(['GET', 'POST']), 'GET'),
    data: v.optional(v.record(v.string(), v.string()), {}),
  }),
])
type Action = v.InferOutput<typeof Action>

/** Where the card holder's browser may be sent: https, or http on this machine. */
const PageUrl = v.pipe(
  v.string(),
  v.check((url) => {
    if (!URL.canParse(url)) return false
    const { protocol, hostname } = new URL(url)
    return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
  }),
)
const FingerprintToken = v.object({
  threeDSServerTransID: v.string(),
  threeDSMethodURL: v.optional(v.union([PageUrl, v.literal('')]), ''),
})
const ChallengeToken = v.object({
  threeDSServerTransID: v.string(),
  acsTransID: v.string(),
  acsURL: PageUrl,
  messageVersion: v.string(),
})

/** What is needed to go on after a step; it is kept sealed. */
const State = v.object({
  kind: v.picklist(['fingerprint', 'challenge', 'redirect']),
  askedBy: v.picklist(['merchant', 'gateway', 'bank']),
  authorisationToken: v.string(),
  paymentData: v.string(),
  serverTransId: v.string(),
  acsTransId: v.string(),
  returnUrl: v.string(),
})
export type State = v.InferOutput<typeof State>

export const readState = (state: string): State => v.parse(State, JSON.parse(state))

/** How far an authentication is: who wanted it, and where the bank's pages send the browser back to. */
export type Progress = Pick<State, 'askedBy' | 'returnUrl'>

/**
 * The step that an action asks for. `silent`: the bank has no hidden frame, so there is nothing to show and Adyen is told so at once. Null if
 * it can't be understood.
 */
export function stepOf(
  action: Action,
  { askedBy, returnUrl }: Progress,
): AuthenticationNeeded | { kind: 'silent'; state: State } | null {
  const begun = { ...NO_TOKENS, askedBy, returnUrl }
  if (action.type === 'redirect') {
    const { url, method, data: fields } = action
    if (!v.is(PageUrl, url)) return null
    return needed({ kind: 'redirect', url, method, fields }, { ...begun, kind: 'redirect' })
  }
  const { authorisationToken, paymentData } = action
  const state = { ...begun, authorisationToken, paymentData }
  return action.subtype === 'fingerprint'
    ? fingerprintOf(action.token, { ...state, kind: 'fingerprint' })
    : challengeOf(action.token, { ...state, kind: 'challenge' })
}

const NO_TOKENS = { authorisationToken: '', paymentData: '', serverTransId: '', acsTransId: '' }

function needed(step: AuthenticationStep, state: State): AuthenticationNeeded {
  return { kind: 'authentication_needed', askedBy: state.askedBy, step, state: JSON.stringify(state) }
}

function fingerprintOf(token: string, state: State): ReturnType<typeof stepOf> {
  const parsed = v.safeParse(FingerprintToken, jsonIn(token))
  if (!parsed.success) return null
  const { threeDSServerTransID, threeDSMethodURL: url } = parsed.output
  const known = { ...state, serverTransId: threeDSServerTransID }
  if (url === '') return { kind: 'silent', state: known }
  const data = base64url({ threeDSServerTransID, threeDSMethodNotificationURL: state.returnUrl })
  return needed({ kind: 'method', url, data }, known)
}

function challengeOf(token: string, state: State): ReturnType<typeof stepOf> {
  const parsed = v.safeParse(ChallengeToken, jsonIn(token))
  if (!parsed.success) return null
  const { threeDSServerTransID, acsTransID, acsURL: url, messageVersion } = parsed.output
  const creq = base64url({
    threeDSServerTransID,
    acsTransID,
    messageVersion,
    messageType: 'CReq',
    challengeWindowSize: FULL_SCREEN,
  })
  return needed(
    { kind: 'challenge', url, creq },
    { ...state, serverTransId: threeDSServerTransID, acsTransId: acsTransID },
  )
}

/** What Adyen is told where the bank has no hidden frame. */
export const toSilentDetails = (state: State): AdyenRequest => detailsOf(fingerprint('U'), state)

/** `/payments/details` that tells of no payment, so that nothing can be carried out by it. */
export const toEmptyDetails = (): AdyenRequest => ({
  path: '/payments/details',
  body: { details: { threeDSResult: base64({}) } },
  isWithoutAccount: true,
})

/**
 * `/payments/details` by what a page or the bank has told. Null if that says nothing: the card holder has not finished, or it is forged or
 * of another payment.
 */
export function toDetails(state: State, told: AuthenticationTold): AdyenRequest | null {
  const details = answerOf(state, told)
  return details === null ? null : detailsOf(details, state)
}

function detailsOf(details: object, { paymentData, authorisationToken, kind }: State): AdyenRequest {
  const isNamed = kind === 'challenge' && authorisationToken !== ''
  const body = { details, ...(paymentData !== '' && !isNamed && { paymentData }) }
  return { path: '/payments/details', body, isWithoutAccount: true }
}

function answerOf(state: State, told: AuthenticationTold): object | null {
  switch (told.kind) {
    case 'look':
      return null
    case 'method':
      return state.kind === 'fingerprint' ? fingerprint(told.completed ? 'Y' : 'N') : null
    case 'returned':
      if (state.kind === 'fingerprint') return methodEnded(state, told.fields)
      return state.kind === 'challenge' ? challenged(state, told.fields) : redirected(told.fields)
  }
}

function fingerprint(threeDSCompInd: 'Y' | 'N' | 'U'): object {
  return { 'threeds2.fingerprint': base64({ threeDSCompInd }) }
}

const MethodEnd = v.object({ threeDSServerTransID: v.string() })

/** The bank's hidden frame has ended by itself. */
function methodEnded(state: State, { threeDSMethodData = '' }: Fields): object | null {
  const parsed = v.safeParse(MethodEnd, jsonIn(threeDSMethodData))
  const isOfThis = parsed.success && parsed.output.threeDSServerTransID === state.serverTransId
  return isOfThis ? fingerprint('Y') : null
}

type Fields = Partial<Readonly<Record<string, string>>>

/** The bank's last word, or that its page broke off (`messageType` Erro). */
const ChallengeEnd = v.object({
  threeDSServerTransID: v.string(),
  acsTransID: v.string(),
  transStatus: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]$/)), 'U'),
})

function challenged(state: State, { cres = '', erro = '' }: Fields): object | null {
  const parsed = v.safeParse(ChallengeEnd, jsonIn(cres === '' ? erro : cres))
  if (!parsed.success) return null
  const { threeDSServerTransID, acsTransID, transStatus } = parsed.output
  if (threeDSServerTransID !== state.serverTransId || acsTransID !== state.acsTransId) return null
  const { authorisationToken } = state
  return authorisationToken === ''
    ? { 'threeds2.challengeResult': base64({ transStatus }) }
    : { threeDSResult: base64({ transStatus, authorisationToken }) }
}

function redirected({ redirectResult = '', MD = '', PaRes = '' }: Fields): object | null {
  if (redirectResult !== '') return { redirectResult }
  return MD !== '' && PaRes !== '' ? { MD, PaRes } : null
}

const base64 = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')
const base64url = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')

/** The JSON in a text of base64, of either alphabet; undefined if it is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    return undefined
  }
}

/** What an answer says of 3-D Secure. Some of it Adyen adds only if the account asks for it. */
export const ResultFields = v.object({
  additionalData: v.optional(
    v.object({
      threeDSVersion: asText,
      eci: asText,
      dsTransID: asText,
      transStatus: asText,
      threeDAuthenticatedResponse: asText,
      liabilityShift: asText,
      challengeCancel: asText,
    }),
    {},
  ),
  threeDS2Result: v.optional(
    v.object({
      messageVersion: asText,
      eci: asText,
      dsTransID: asText,
      transStatus: asText,
      transStatusReason: asText,
      challengeCancel: asText,
    }),
    {},
  ),
})
type ResultFields = v.InferOutput<typeof ResultFields>

/** How a sale went, as far as the adapter has seen it itself. `tookPart`: the bank did, whatever the answer says of it. */
export interface Seen {
  flow: AuthenticationResult['flow']
  tookPart: boolean
  made: AuthenticationAsked['made']
}

/** What 3-D Secure has brought; undefined if the bank had no part in it. */
export function resultOf(
  { additionalData: added, threeDS2Result: result }: ResultFields,
  { flow, tookPart, made }: Seen,
): AuthenticationResult | undefined {
  const given = { version: '', eci: '', ds_trans_id: '', ...made }
  const { transStatus: told, threeDAuthenticatedResponse: raw } = added
  const transStatus = first(result.transStatus, told, raw, given.trans_status)
  const version = first(result.messageVersion, added.threeDSVersion, given.version)
  if (transStatus === null && version === null && !tookPart) return undefined
  const shift = first(added.liabilityShift)
  return {
    version,
    flow,
    transStatus,
    transStatusReason: first(result.transStatusReason),
    eci: first(result.eci, added.eci, given.eci),
    dsTransId: first(result.dsTransID, added.dsTransID, given.ds_trans_id),
    isLiabilityShifted: shift === null ? null : shift === 'true',
  }
}

/** What a notification says of it. */
export function resultInNews(additionalData: unknown): AuthenticationResult | undefined {
  const parsed = v.safeParse(ResultFields, { additionalData: additionalData ?? {} })
  return parsed.success ? resultOf(parsed.output, { flow: null, tookPart: false, made: null }) : undefined
}

/** The first text that is there and not empty. */
const first = (...texts: (string | undefined)[]) =>
  texts.find((text) => text !== undefined && text !== '') ?? null

/** Why nobody finished, as the bank says it (EMV 3-D Secure, `challengeCancel`); null if it does not. */
export function leftBy({ additionalData, threeDS2Result }: ResultFields): 'cancelled' | 'timed_out' | null {
  const code = first(threeDS2Result.challengeCancel, additionalData.challengeCancel)
  if (code === '01') return 'cancelled'
  return code === '04' || code === '05' ? 'timed_out' : null
}
