import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import type { NewPasskey, PasskeySignIn } from '../../../contract/dashboard/people/passkey.ts'
import type { Queries } from '../../platform/database/database.ts'
import { issueChallenge, useChallenge } from './passkey-store.ts'
import type { ListedPasskey, Passkey } from './passkey-store.ts'

/** The dashboard as WebAuthn knows it: a passkey works at the host that it was made for, and at no other (§5.1.2). */
export interface RelyingParty {
  /** The host of the dashboard's URL. */
  id: string
  name: string
  origin: string
}

/** Outside production, the name says which environment it is: people may have an account in several. */
export function relyingPartyOf(dashboardUrl: string, environment: string): RelyingParty {
  const { hostname, origin } = new URL(dashboardUrl)
  const name =
    environment === 'production_svc' ? 'Card service' : `Card service (${environment.replace(/_svc$/, '')})`
  return { id: hostname, name, origin }
}

interface WebAuthnDeps {
  database: Queries
  relyingParty: RelyingParty
}

export type PublicKeyOptions = { challenge: string } & object

type KnownPasskeys = readonly Pick<ListedPasskey, 'credentialId' | 'transports'>[]

/** Loaded on first use: its certificate parsers would take a fifth of the service's start. */
const webAuthn = () => import('@simplewebauthn/server')

const SIGN_IN = 'sign in'
const registrationOf = (userId: string): string => `make ${userId}`

/** What a browser needs to make a passkey. It asks for a finger, face or PIN, and for no e-mail address at sign-in. */
export async function optionsToRegister(
  { database, relyingParty }: WebAuthnDeps,
  { id, email, name }: { id: string; email: string; name: string },
  known: KnownPasskeys,
): Promise<PublicKeyOptions> {
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: email,
    userDisplayName: name,
    userID: userHandleOf(id),
    challenge: await issueChallenge(database, registrationOf(id)),
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What is kept of a passkey that was just made. */
interface RegisteredCredential {
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

/** The passkey of a registration response. Null if the response is not valid for this person. */
export async function verifyRegistration(
  deps: WebAuthnDeps,
  userId: string,
  response: NewPasskey['response'],
): Promise<RegisteredCredential | null> {
  const expected = await takeExpected(deps, response.response.clientDataJSON, registrationOf(userId))
  if (expected === null) return null
  const given: RegistrationResponseJSON = { ...response, clientExtensionResults: {} }
  const { verifyRegistrationResponse } = await webAuthn()
  // It throws for every invalid response.
  const { registrationInfo } = await verifyRegistrationResponse({ response: given, ...expected }).catch(
    () => ({ registrationInfo: undefined }),
  )
  if (registrationInfo === undefined) return null
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const { transports = [] } = response.response
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports }
}

/** What a browser needs to sign in. `known` empty: it offers every passkey that it has for the dashboard. */
export async function optionsToSignIn(
  { database, relyingParty }: WebAuthnDeps,
  known: KnownPasskeys,
): Promise<PublicKeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    allowCredentials: known.map(toDescriptor),
    challenge: await issueChallenge(database, SIGN_IN),
    userVerification: 'required',
  })
}

/** The counter of a valid sign-in response. Null if the response is not of this passkey. */
export async function verifySignIn(
  deps: WebAuthnDeps,
  { userId, publicKey, counter }: Passkey,
  response: PasskeySignIn['response'],
): Promise<number | null> {
  const expected = await takeExpected(deps, response.response.clientDataJSON, SIGN_IN)
  if (expected === null || !isHandleOf(userId, response.response.userHandle)) return null
  const given: AuthenticationResponseJSON = { ...response, clientExtensionResults: {} }
  const credential = { id: response.id, publicKey: new Uint8Array(publicKey), counter }
  const { verifyAuthenticationResponse } = await webAuthn()
  const result = await verifyAuthenticationResponse({ response: given, credential, ...expected }).catch(
    () => null,
  )
  return result?.verified === true ? result.authenticationInfo.newCounter : null
}

/** Uses up the challenge of a response, and returns what the library compares with. Null without such a challenge. */
async function takeExpected(
  { database, relyingParty }: WebAuthnDeps,
  clientDataJSON: string,
  purpose: string,
) {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === null || !(await useChallenge(database, challenge, purpose))) return null
  return {
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }
}

const ClientData = v.object({ challenge: v.string() })

function challengeIn(clientDataJSON: string): string | null {
  try {
    return v.parse(ClientData, JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return null
  }
}

/** A passkey keeps its user's id, which says nothing about the person. */
function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId))
}

function isHandleOf(userId: string, handle: string | undefined): boolean {
  return handle === undefined || Buffer.from(handle, 'base64url').toString() === userId
}

function toDescriptor({ credentialId, transports }: KnownPasskeys[number]): {
  id: string
  transports: string[]
} {
  return { id: credentialId, transports: [...transports] }
}
