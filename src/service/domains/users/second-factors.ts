import { createHash, randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import type { SecondFactorRequest } from '../../../contract/dashboard/people/sign-in.ts'
import type { TotpSetup } from '../../../contract/dashboard/people/user-settings.ts'
import type { Queries } from '../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { lockOwnAccount } from './accounts.ts'
import type { UsersDeps } from './deps.ts'
import {
  confirmTotpSecret,
  findTotpSecret,
  offerTotpSecret,
  removeTotpSecret,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
  voidRecoveryCodes,
} from './second-factor-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'

/** A secret to set an authenticator app up with. Throws `unfulfilled_condition` if the person has an app. */
export async function offerTotp(deps: UsersDeps, { session: { user } }: UserContext): Promise<TotpSetup> {
  const secret = createTotpSecret()
  if (!(await offerTotpSecret(deps, user.id, secret)))
    throw unfulfilled('You have an authenticator app already. Remove it first.')
  return { secret, uri: totpUri(secret, { issuer: deps.relyingParty.name, email: user.email }) }
}

/**
 * Turns the app on by a first code. Returns the recovery codes, which are shown this once. Throws `validation_error` for a wrong
 * code.
 */
export async function confirmTotp(deps: UsersDeps, context: UserContext, code: string): Promise<string[]> {
  const { id } = context.session.user
  await deps.throttle.totp(id)
  const secret = await findTotpSecret(deps, id, { isConfirmed: false })
  if (secret === null) throw unfulfilled(NOTHING_TO_CONFIRM)
  const step = await stepOfCode(secret, code, deps.timeOfDay.epochMs())
  if (step === null) throw invalidField('code', 'is not the code that the app shows now')
  return deps.database.transaction(async (queries) => {
    await lockOwnAccount(queries, context)
    if (!(await confirmTotpSecret(queries, id, step))) throw unfulfilled(NOTHING_TO_CONFIRM)
    await addEventBy(deps, queries, context, 'user.totp_added')
    return makeRecoveryCodes(deps, queries, context)
  })
}

/** Throws `not_found` if the person has no app. */
export async function removeTotp(deps: UsersDeps, context: UserContext): Promise<void> {
  const { id } = context.session.user
  await deps.database.transaction(async (queries) => {
    const account = await lockOwnAccount(queries, context)
    if (!(await removeTotpSecret(queries, id)))
      throw new ServiceError('not_found', 'You have no authenticator app.')
    if (account.passkeys === 0) await voidRecoveryCodes(queries, id)
    await addEventBy(deps, queries, context, 'user.totp_removed')
  })
}

/** New recovery codes in place of the old. Throws `unfulfilled_condition` without a second factor to stand in for. */
export async function renewRecoveryCodes(deps: UsersDeps, context: UserContext): Promise<string[]> {
  return deps.database.transaction(async (queries) => {
    const account = await lockOwnAccount(queries, context)
    if (!account.hasTotp && account.passkeys === 0)
      throw unfulfilled('Add an authenticator app or a passkey first: recovery codes stand in for those.')
    return makeRecoveryCodes(deps, queries, context)
  })
}

/** Makes new recovery codes within the transaction, and voids the old. */
export async function makeRecoveryCodes(
  deps: UsersDeps,
  queries: Queries,
  context: UserContext,
): Promise<string[]> {
  const { id } = context.session.user
  const codes = createRecoveryCodes()
  await replaceRecoveryCodes(
    queries,
    id,
    codes.map((code) => recoveryCodeHash(id, code)),
  )
  await addEventBy(deps, queries, context, 'user.recovery_codes_made')
  return codes
}

/**
 * Checks a code at sign-in, and returns the function that uses it up in the caller's transaction. That one returns false if the code
 * is wrong or used already. Throws `rate_limited` after too many tries.
 */
export async function checkSecondFactor(
  deps: UsersDeps,
  userId: string,
  factor: SecondFactorRequest,
): Promise<(queries: Queries) => Promise<boolean>> {
  if ('recovery_code' in factor) {
    await deps.throttle.recoveryCode(userId)
    const hash = recoveryCodeHash(userId, factor.recovery_code)
    return (queries) => spendRecoveryCode(queries, userId, hash)
  }
  await deps.throttle.totp(userId)
  const secret = await findTotpSecret(deps, userId, { isConfirmed: true })
  const step = secret === null ? null : await stepOfCode(secret, factor.code, deps.timeOfDay.epochMs())
  return (queries) => (step === null ? Promise.resolve(false) : spendTotpStep(queries, userId, step))
}

/** One step before and after the current one, as telephones' clocks are a little off (RFC 6238 §5.2). */
const TOLERANCE_SECONDS = 30

/** A new secret of 160 random bits in base32, as authenticator apps take it. */
export const createTotpSecret = (): string => generateSecret()

/** The text of a QR code for authenticator apps. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return generateURI({ secret, issuer, label: email })
}

/** The step of 30 s to which a code belongs, or null if that is not near `nowMs` (since 1970). */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | null> {
  const epoch = Math.floor(nowMs / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** How many recovery codes a person gets. */
const CODES = 10

/** 31 letters and digits that every handwriting tells apart: no `i`, `l`, `o`, `0` or `1`. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const LETTERS_PER_GROUP = 4

/** Ten new codes such as `k7wp-3xmd-9qhr-t2ce`, each of 79 random bits. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, createRecoveryCode)
}

function createRecoveryCode(): string {
  const group = () =>
    Array.from({ length: LETTERS_PER_GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** The hash that is kept of a code, however it was typed. Nobody can try 79 bits, so one round of SHA-256 is enough. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${userId} ${letters}`).digest()
}

const NOTHING_TO_CONFIRM = 'There is no authenticator app to confirm. Begin again.'

function unfulfilled(words: string): ServiceError {
  return new ServiceError('unfulfilled_condition', words)
}
