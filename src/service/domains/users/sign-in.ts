import type { PasskeySignIn } from '../../../contract/dashboard/people/passkey.ts'
import type {
  SecondFactorRequest,
  SignInRequest,
  SignInState,
} from '../../../contract/dashboard/people/sign-in.ts'
import type { Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { actorOf, notSignedIn } from '../../platform/http/callers/session.ts'
import { findAccount, findAccountByEmail, lockAccount, recordPlaces } from './account-store.ts'
import { secondFactorsOf } from './account.ts'
import type { Account } from './account.ts'
import type { UsersDeps } from './deps.ts'
import { joinTeam } from './invitations.ts'
import { findPasskeyByCredential, listPasskeys, recordPasskeyUse } from './passkey-store.ts'
import { checkSecondFactor } from './second-factors.ts'
import {
  beginSession,
  completeSession,
  endSessionOfToken,
  findUnfinishedSession,
  markSeen,
} from './session-store.ts'
import type { UnfinishedSession } from './session-store.ts'
import { placesOf } from './user-context.ts'
import type { Requester } from './user-context.ts'
import { addUserEvent, factsOf } from './user-events.ts'
import { optionsToSignIn, verifySignIn } from './webauthn.ts'
import type { PublicKeyOptions } from './webauthn.ts'

/** A sign-in so far: the cookie's new token, and whether a second factor is missing. */
export interface SignedIn {
  token: string
  state: SignInState
}

/**
 * Signs in by e-mail address and password, at the merchant that the person worked for last. Throws `unauthorized` in the same
 * words for every cause. `oldToken` is the cookie's: a session that it opens ends.
 */
export async function signIn(
  deps: UsersDeps,
  request: SignInRequest,
  requester: Requester,
  oldToken: string | null,
): Promise<SignedIn> {
  const account = await checkPassword(deps, request, requester)
  const { merchantId } = account
  const person = { account, requester, oldToken, invitationId: null }
  const signedIn =
    merchantId === null
      ? null
      : await deps.database.transaction((queries) =>
          signInAfterPassword(deps, queries, { ...person, merchantId }),
        )
  if (signedIn !== null) return signedIn
  await recordFailure(deps, account, requester, merchantId === null ? 'no_merchant' : 'password')
  throw wrongEmailOrPassword()
}

/**
 * The account of an e-mail address and password. An unknown address takes the same work and gets the same words as a wrong
 * password: `unauthorized`. Throws `rate_limited` when the address was tried too often.
 */
export async function checkPassword(
  deps: Pick<UsersDeps, 'database' | 'createId' | 'hashes' | 'throttle'>,
  { email, password }: SignInRequest,
  requester: Requester,
): Promise<Account> {
  const account = await findAccountByEmail(deps.database, email, placesOf(requester))
  const knownPlace = account?.knownPlace ?? null
  await deps.throttle.account(email, knownPlace)
  const asker = { who: knownPlace ?? requester.network, isKnown: knownPlace !== null }
  const isRight = await deps.hashes.matches(account?.passwordHash ?? null, password, asker)
  if (account !== null && isRight) return account
  await recordFailure(deps, account, requester, account === null ? 'email' : 'password')
  throw wrongEmailOrPassword()
}

/**
 * Completes a sign-in by a code after its password. Throws `unauthorized` for a wrong or used code and when the sign-in has
 * ended, `rate_limited` after too many tries.
 */
export async function giveSecondFactor(
  deps: UsersDeps,
  token: string | null,
  factor: SecondFactorRequest,
  requester: Requester,
): Promise<SignedIn> {
  const session = await findUnfinishedSession(deps.database, token)
  if (session === null) throw notSignedIn()
  const by = 'recovery_code' in factor ? 'recovery_code' : 'totp'
  const spend = await checkSecondFactor(deps, session.userId, factor)
  const signedIn = await deps.database.transaction(async (queries) => {
    if (!(await spend(queries))) return null
    const completed = await completeSession(queries, session.sessionId, deps.createId())
    if (completed === null) throw notSignedIn()
    return completeSignIn(deps, queries, { ...session, ...completed, requester }, ['password', by])
  })
  if (signedIn !== null) return signedIn
  await recordFailure(deps, { id: session.userId, merchantId: session.merchantId }, requester, by)
  throw unauthorized('The code is wrong, or was used before.')
}

/** What a browser needs to sign in by passkey. It names the person's passkeys after the right password only. */
export async function passkeySignInOptions(deps: UsersDeps, token: string | null): Promise<PublicKeyOptions> {
  const session = await findUnfinishedSession(deps.database, token)
  return optionsToSignIn(deps, session === null ? [] : await listPasskeys(deps.database, session.userId))
}

/**
 * Signs in by passkey, alone or as the second factor after the password. A passkey counts as two factors: a device, and the
 * person's finger, face or PIN. Throws `unauthorized` for every invalid response.
 */
export async function signInByPasskey(
  deps: UsersDeps,
  token: string | null,
  response: PasskeySignIn['response'],
  requester: Requester,
): Promise<SignedIn> {
  const passkey = await findPasskeyByCredential(deps.database, response.id)
  const account = passkey === null ? null : await findAccount(deps.database, passkey.userId)
  const counter = passkey === null ? null : await verifySignIn(deps, passkey, response)
  const session = await findUnfinishedSession(deps.database, token)
  const begun = session !== null && session.userId === account?.id ? session : null
  const signedIn = await deps.database.transaction(async (queries) => {
    if (passkey === null || account === null || counter === null) return null
    if (!(await recordPasskeyUse(queries, passkey.id, counter))) return null
    return signInAfterPasskey(deps, queries, { account, begun, requester, oldToken: token })
  })
  if (signedIn !== null) return signedIn
  await recordFailure(deps, account, requester, 'passkey')
  throw unauthorized('This passkey could not be checked. Try again, or sign in by password.')
}

/** `begun` is the session that the password has opened before, or null. */
async function signInAfterPasskey(
  deps: UsersDeps,
  queries: Queries,
  {
    begun,
    ...person
  }: Omit<VerifiedPerson, 'merchantId' | 'invitationId'> & { begun: UnfinishedSession | null },
): Promise<SignedIn | null> {
  const merchantId = begun?.merchantId ?? person.account.merchantId
  if (merchantId === null) return null
  if ((await lockIfPasswordUnchanged(queries, person.account)) === null) return null
  const [hasPassword, invitationId] = [begun !== null, begun?.invitationId ?? null]
  const place = { ...person, merchantId, invitationId }
  const session = await replaceSession(deps, queries, place, { isComplete: true, hasPassword })
  return completeSignIn(deps, queries, session, hasPassword ? ['password', 'passkey'] : ['passkey'])
}

/** A person whose password or passkey was checked. */
interface VerifiedPerson {
  /** As it was at that check. */
  account: Account
  merchantId: string
  requester: Requester
  /** The cookie's token so far. A session that it opens ends. */
  oldToken: string | null
  /** The invitation that the person accepts once every factor is given, or null. */
  invitationId: string | null
}

/**
 * After the right password: begins a session, which waits for the second factor if the person has one. Null if the password was
 * changed after the check, because a change ends every session. Throws `not_found` if the invitation is no longer open.
 */
export async function signInAfterPassword(
  deps: UsersDeps,
  queries: Queries,
  person: VerifiedPerson,
): Promise<SignedIn | null> {
  const account = await lockIfPasswordUnchanged(queries, person.account)
  if (account === null) return null
  const methods = secondFactorsOf(account)
  const isComplete = methods.length === 0
  const session = await replaceSession(deps, queries, person, { isComplete, hasPassword: true })
  if (isComplete) return completeSignIn(deps, queries, session, ['password'])
  return { token: session.token, state: { state: 'second_factor', methods } }
}

/** The account, locked until the transaction ends. Null if its password was changed after the check. */
async function lockIfPasswordUnchanged(
  queries: Queries,
  { id, passwordHash }: Account,
): Promise<Account | null> {
  const account = await lockAccount(queries, id)
  return account?.passwordHash === passwordHash ? account : null
}

async function replaceSession(
  { createId }: UsersDeps,
  queries: Queries,
  { account: { id: userId }, merchantId, requester, oldToken, invitationId }: VerifiedPerson,
  { isComplete, hasPassword }: { isComplete: boolean; hasPassword: boolean },
) {
  if (oldToken !== null) await endSessionOfToken(queries, oldToken)
  const person = { userId, merchantId, invitationId, requester }
  const issued = await beginSession(queries, createId(), { ...person, isComplete, hasPassword })
  return { ...person, ...issued }
}

/** What a person proved their identity by. */
type Proof = 'password' | 'totp' | 'recovery_code' | 'passkey'

/** Every factor is given: accepts the invitation, and remembers where the person was. */
async function completeSignIn(
  deps: UsersDeps,
  queries: Queries,
  session: UnfinishedSession & { token: string; requester: Requester },
  by: readonly Proof[],
): Promise<SignedIn> {
  const { token, sessionId, userId, merchantId, invitationId, requester } = session
  if (invitationId !== null) await joinTeam(deps, queries, { invitationId, userId, requester })
  await recordPlaces(queries, userId, placesOf(requester))
  await markSeen(queries, sessionId)
  await addUserEvent(deps, queries, {
    merchantId,
    type: 'user.signed_in',
    subject: userId,
    actor: actorOf({ user: { id: userId } }),
    facts: { ...factsOf(requester), session_id: sessionId, by },
  })
  return { token, state: { state: 'signed_in' } }
}

/** Why a sign-in failed. Only the audit log says it: the person gets the same words for each. */
type SignInFault = 'email' | 'password' | 'no_merchant' | 'totp' | 'recovery_code' | 'passkey'

/** Records a failed sign-in, without an unknown e-mail address: it may be a typing error. */
async function recordFailure(
  deps: Pick<UsersDeps, 'database' | 'createId'>,
  account: { id: string; merchantId: string | null } | null,
  requester: Requester,
  reason: SignInFault,
): Promise<void> {
  await deps.database.transaction((queries) =>
    addUserEvent(deps, queries, {
      merchantId: account?.merchantId ?? '',
      type: 'user.sign_in_failed',
      subject: account?.id ?? 'service',
      actor: 'service',
      facts: { ...factsOf(requester), reason },
    }),
  )
}

/** Has the same words for an unknown address, a wrong password, and a person who works for no merchant any more. */
export function wrongEmailOrPassword(): ServiceError {
  return unauthorized('The e-mail address or the password is wrong.')
}

function unauthorized(words: string): ServiceError {
  return new ServiceError('unauthorized', words, { challenge: 'Session' })
}
