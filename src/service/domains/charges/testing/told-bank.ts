import { expect } from 'vitest'
import type {
  AuthenticationNeeded,
  AuthenticationResult,
  AuthenticationTold,
  Gateway,
  GatewayAnswer,
} from '../../gateways/gateway.ts'

const RESULT: AuthenticationResult = {
  version: '2.2.0',
  flow: 'challenge',
  transStatus: 'Y',
  transStatusReason: null,
  eci: '05',
  dsTransId: '6f6b7d3c-62dd-4f3a-9f8e-2d7c4a0f1b11',
  isLiabilityShifted: true,
}
const answered = { code: '00', description: 'Approved', externalReference: null }
const approved = (externalId: string, authentication = RESULT): GatewayAnswer => ({
  ...answered,
  kind: 'approved',
  holdSeconds: 604_800,
  externalId,
  authentication,
})
const declined = (externalId: string, reason: 'not_authenticated' | 'authentication_failed') =>
  ({ ...answered, kind: 'declined', reason, externalId }) as const
const challenge = (state: string): AuthenticationNeeded => ({
  kind: 'authentication_needed',
  askedBy: 'gateway',
  step: { kind: 'challenge', url: 'https://acs.example/', creq: 'eyJ9' },
  state,
})

/** What a card holder's browser tells of itself. */
export const BROWSER = {
  ...{ language: 'en-AU', time_zone_offset: -600, color_depth: 24 },
  ...{ screen_width: 390, screen_height: 844 },
}

interface ToldBank {
  asked: { attemptId: string; what: string }[]
  wishes: string[]
  said: Record<string, string>
  loses: number
  /** What happens while it is asked to end an authentication. */
  whileAbandoning: () => Promise<void>
  ofHolder: object | null
}
const untold = (): ToldBank => ({
  asked: [],
  wishes: [],
  said: {},
  loses: 0,
  whileAbandoning: () => Promise.resolve(),
  ofHolder: null,
})

/** A bank whose answers a test decides; it counts what it is asked. */
export const bank = untold()
export const resetBank = (): void => void Object.assign(bank, untold())
const lost = () => {
  bank.loses -= 1
  return bank.loses >= 0
}
function answerTo(attemptId: string, told: AuthenticationTold) {
  if (told.kind === 'method') return challenge(attemptId)
  if (told.kind === 'look' && bank.said[attemptId] === 'passed') return approved(attemptId)
  if (told.kind === 'look' || told.fields['cres'] !== 'true') return { kind: 'waits' } as const
  return bank.said[attemptId] === 'wrong' ? declined(attemptId, 'authentication_failed') : approved(attemptId)
}
export const bankGateway: Gateway = {
  authorise({ attemptId, authentication }) {
    const { wish } = authentication
    bank.ofHolder = authentication
    const asked = challenge(attemptId)
    bank.wishes.push(wish)
    if (wish === 'never') return Promise.resolve(approved(attemptId, { ...RESULT, flow: 'frictionless' }))
    const method = { kind: 'method', url: 'https://acs.example/method', data: 'eyJ9' } as const
    return Promise.resolve(wish === 'challenge' ? asked : { ...asked, step: method })
  },
  capture: () => Promise.resolve({ kind: 'unknown' }),
  cancel: () => Promise.resolve({ kind: 'unknown' }),
  refund: () => Promise.resolve({ kind: 'unknown' }),
  outcomeOf: ({ attemptId }) => Promise.resolve(declined(attemptId, 'not_authenticated')),
  authentication: {
    finish({ attemptId, state, stepNumber, told }) {
      bank.asked.push({ attemptId, what: `finish ${String(stepNumber)} ${told.kind}` })
      expect(state).toBe(attemptId)
      return Promise.resolve(lost() ? { kind: 'unknown' } : answerTo(attemptId, told))
    },
    async abandon({ attemptId }) {
      bank.asked.push({ attemptId, what: 'abandon' })
      await bank.whileAbandoning()
      if (lost()) return { kind: 'unknown' }
      const answer = declined(attemptId, 'not_authenticated')
      return bank.said[attemptId] === 'cancelled' ? { ...answer, left: 'cancelled' } : answer
    },
  },
}
