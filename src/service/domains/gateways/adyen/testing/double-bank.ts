import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'
import type { AtBank } from '../../testing/gateway-bed.ts'

/** What the card holder's bank does, by the name on the card: `BANK challenge`. */
const SCENARIOS = [
  'challenge',
  'method',
  'methodchallenge',
  'silent',
  'redirect',
  'frictionless',
  'insists',
] as const
type Scenario = (typeof SCENARIOS)[number]

const BANK_CARD = /^BANK (\w+)$/

/** A payment that waits for its card holder. */
interface Waiting {
  reference: string
  pspReference: string
  stage: 'fingerprint' | 'challenge' | 'redirect' | 'done'
  isChallenged: boolean
  /** The tokens by which it goes on, of the stage that it is at. */
  authorisationToken: string
  paymentData: string
  redirectResult: string
  serverTransId: string
  acsTransId: string
  notificationUrl: string
  /** How the card holder has ended the bank's page; null while it is open. */
  ended: AtBank | null
  settled: DoubleAnswer | null
  settle: (isPassed: boolean, fields: object) => DoubleAnswer
}

/** Adyen's side of 3-D Secure, and the bank behind it. */
export interface DoubleBank {
  /** The answer to a sale whose bank has a say in it; null where it has none. `settle` authorises or refuses it. */
  asked: (sale: AskedSale, settle: Waiting['settle']) => DoubleAnswer | null
  /** `/payments/details`. */
  details: (body: unknown) => DoubleAnswer
  /** The card holder does something on the bank's page; what the page sends back. */
  visit: (reference: string, does: AtBank) => Readonly<Record<string, string>>
  /** What the hidden frame of the bank sends back. */
  endMethod: (reference: string) => Readonly<Record<string, string>>
  /** Where the bank sends its answer for a payment. */
  notificationUrlOf: (reference: string) => string
}

/** What the bank goes by, of a request to `/payments`. */
export const AskedSale = v.object({
  reference: v.string(),
  returnUrl: v.string(),
  authenticationData: v.optional(v.object({ attemptAuthentication: v.optional(v.string()) }), {}),
  threeDS2RequestData: v.optional(v.object({ notificationURL: v.string() })),
  browserInfo: v.optional(v.object({})),
  mpiData: v.optional(v.object({})),
  paymentMethod: v.object({ holderName: v.string() }),
})
type AskedSale = v.InferOutput<typeof AskedSale> & { pspReference: string }

const newToken = () => randomBytes(24).toString('base64')
const base64 = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')

export function createDoubleBank(): DoubleBank {
  const waiting: Waiting[] = []
  const of = (reference: string) => {
    const found = waiting.findLast((one) => one.reference === reference)
    if (found === undefined) throw new Error(`no payment of ${reference} waits`)
    return found
  }
  return {
    asked(sale, settle) {
      const scenario = scenarioOf(sale)
      if (scenario === null) return null
      if (scenario === 'frictionless') return settle(true, resultFields('Y', {}))
      if (scenario === 'insists') return settle(false, REQUIRED)
      const stage = stageOf(scenario)
      const one = begin(sale, stage, scenario, settle)
      waiting.push(one)
      return actionAnswer(one, stage, scenario)
    },
    details: (body) => goOn(waiting, body),
    visit(reference, does) {
      const one = of(reference)
      one.ended ??= does
      if (one.stage === 'redirect') return { redirectResult: one.redirectResult }
      const transStatus = does === 'passes' ? 'Y' : 'N'
      const { serverTransId: threeDSServerTransID, acsTransId: acsTransID } = one
      const cres = {
        threeDSServerTransID,
        acsTransID,
        messageType: 'CRes',
        messageVersion: '2.2.0',
        transStatus,
      }
      return { cres: Buffer.from(JSON.stringify(cres)).toString('base64url') }
    },
    endMethod: (reference) => ({
      threeDSMethodData: base64({ threeDSServerTransID: of(reference).serverTransId }),
    }),
    notificationUrlOf: (reference) => of(reference).notificationUrl,
  }
}

/** What the bank does with a sale, by what it was told; null if it has no say. */
function scenarioOf({ paymentMethod, authenticationData, browserInfo, mpiData }: AskedSale): Scenario | null {
  const [, word = ''] = BANK_CARD.exec(paymentMethod.holderName) ?? []
  const named = SCENARIOS.find((one) => one === word)
  const wish = authenticationData.attemptAuthentication
  if (mpiData !== undefined) return null
  if (named === 'insists') return wish === 'always' ? 'challenge' : 'insists'
  if (wish === 'never' || browserInfo === undefined) return null
  if (wish === 'always' && (named === undefined || named === 'frictionless')) return 'challenge'
  return named ?? null
}

type Action = Exclude<Waiting['stage'], 'done'>

function stageOf(scenario: Scenario): Action {
  if (scenario === 'redirect') return 'redirect'
  return scenario === 'challenge' ? 'challenge' : 'fingerprint'
}

function begin(sale: AskedSale, stage: Action, scenario: Scenario, settle: Waiting['settle']): Waiting {
  return {
    reference: sale.reference,
    pspReference: sale.pspReference,
    stage,
    isChallenged: scenario === 'methodchallenge',
    ...{ authorisationToken: newToken(), paymentData: newToken(), redirectResult: newToken() },
    ...{ serverTransId: randomUUID(), acsTransId: randomUUID(), ended: null, settled: null, settle },
    notificationUrl: sale.threeDS2RequestData?.notificationURL ?? '',
  }
}

const REQUIRED = { refusalReason: 'Authentication required', refusalReasonCode: '38' }
const METHOD_URL = 'https://acs.bank.example/method'

function actionAnswer(one: Waiting, stage: Action, scenario?: Scenario): DoubleAnswer {
  const { reference: merchantReference, pspReference, authorisationToken, paymentData } = one
  const threeDS2 = { type: 'threeDS2', paymentMethodType: 'scheme', authorisationToken, paymentData }
  const { serverTransId: threeDSServerTransID, acsTransId: acsTransID } = one
  const fingerprint = {
    threeDSServerTransID,
    threeDSMethodNotificationURL: 'https://checkoutshopper-test.adyen.com/notify',
    ...(scenario !== 'silent' && { threeDSMethodURL: METHOD_URL }),
  }
  const challenge = {
    ...{ threeDSServerTransID, acsTransID, acsURL: 'https://acs.bank.example/challenge' },
    ...{
      messageVersion: '2.2.0',
      acsReferenceNumber: 'ADYEN-ACS',
      threeDSNotificationURL: one.notificationUrl,
    },
  }
  const actions = {
    fingerprint: { ...threeDS2, subtype: 'fingerprint', token: base64(fingerprint) },
    challenge: { ...threeDS2, subtype: 'challenge', token: base64(challenge) },
    redirect: {
      ...{ type: 'redirect', paymentMethodType: 'scheme', method: 'GET' },
      url: `https://checkoutshopper-test.adyen.com/threeDS/redirect?id=${pspReference}`,
    },
  }
  const body = { pspReference, merchantReference, resultCode: RESULTS[stage], action: actions[stage] }
  return { status: 200, body }
}

const RESULTS = {
  fingerprint: 'IdentifyShopper',
  challenge: 'ChallengeShopper',
  redirect: 'RedirectShopper',
} as const

const Details = v.object({
  paymentData: v.optional(v.string()),
  details: v.object({
    'threeds2.fingerprint': v.optional(v.string()),
    threeDSResult: v.optional(v.string()),
    redirectResult: v.optional(v.string()),
  }),
})
const Decoded = v.object({
  threeDSCompInd: v.optional(v.picklist(['Y', 'N', 'U'])),
  transStatus: v.optional(v.string()),
  authorisationToken: v.optional(v.string()),
})

function goOn(waiting: readonly Waiting[], body: unknown): DoubleAnswer {
  const { details, paymentData } = v.parse(Details, body)
  const { 'threeds2.fingerprint': fingerprint, threeDSResult, redirectResult } = details
  if (fingerprint !== undefined) {
    const { threeDSCompInd } = decoded(fingerprint)
    const one = waiting.find((each) => each.stage === 'fingerprint' && each.paymentData === paymentData)
    return one === undefined || threeDSCompInd === undefined ? NOT_KNOWN : afterMethod(one)
  }
  const { authorisationToken } = decoded(threeDSResult ?? '')
  const one = waiting.find((each) =>
    redirectResult === undefined
      ? each.stage === 'challenge' && each.authorisationToken === authorisationToken
      : each.stage === 'redirect' && each.redirectResult === redirectResult,
  )
  if (one === undefined) return NOT_KNOWN
  one.settled ??= ended(one)
  return one.settled
}

const NOT_KNOWN: DoubleAnswer = {
  status: 422,
  body: {
    status: 422,
    errorCode: '14_017',
    message: 'Invalid payment data was provided',
    errorType: 'validation',
  },
}

function decoded(text: string): v.InferOutput<typeof Decoded> {
  return text === '' ? {} : v.parse(Decoded, JSON.parse(Buffer.from(text, 'base64').toString()))
}

function afterMethod(one: Waiting): DoubleAnswer {
  if (!one.isChallenged) {
    one.stage = 'done'
    return one.settle(true, resultFields('Y', {}))
  }
  one.stage = 'challenge'
  one.authorisationToken = newToken()
  return actionAnswer(one, 'challenge')
}

/** By what the bank knows, whatever the browser has brought. */
function ended(one: Waiting): DoubleAnswer {
  switch (one.ended) {
    case 'passes':
      return one.settle(true, resultFields('Y', {}))
    case 'cancels':
      return one.settle(false, resultFields('N', { challengeCancel: '01' }))
    case 'fails':
      return one.settle(false, resultFields('N', {}))
    case null:
      return one.settle(false, { refusalReason: 'RReq not received from DS', refusalReasonCode: '39' })
  }
}

/** A cryptogram is among them, which is to be kept nowhere. */
const CRYPTOGRAM = 'AAABAWFlmQAAAABjRWWZEEFgFz8='

function resultFields(transStatus: 'Y' | 'N', more: object): object {
  const isPassed = transStatus === 'Y'
  const eci = isPassed ? '05' : '07'
  const dsTransID = randomUUID()
  return {
    additionalData: {
      ...{
        threeDSVersion: '2.2.0',
        threeDAuthenticatedResponse: transStatus,
        threeDOffered: 'true',
        eci,
        dsTransID,
      },
      ...{ liabilityShift: String(isPassed), ...(isPassed && { cavv: CRYPTOGRAM }) },
    },
    threeDS2Result: {
      ...{ messageVersion: '2.2.0', transStatus, eci, dsTransID },
      ...(isPassed ? { authenticationValue: CRYPTOGRAM } : { transStatusReason: '01' }),
      ...more,
    },
  }
}
