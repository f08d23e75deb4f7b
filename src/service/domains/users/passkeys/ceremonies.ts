import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import type { NewPasskey, PasskeySignIn } from '../../../../contract/dashboard/people/passkey.ts'
import type { ChallengeStore } from './challenge-store.ts'
import type { ListedPasskey, Passkey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** A passkey that has just been made, as it is kept. */
export interface RegisteredCredential {
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

interface Person {
  id: string
  email: string
  name: string
}

type Known = readonly Pick<ListedPasskey, 'credentialId' | 'transports'>[]

/**
 * Making a passkey and signing in with one (WebAuthn §7). Always with the person's finger, face or PIN, and of the kind
 * that needs no e-mail address first. A response is checked against a challenge of this service, which it uses up.
 */
export interface Ceremonies {
  optionsToMake: (person: Person, known: Known) => Promise<PublicKeyOptions>
  /** What was made; null when the response is not good for this person. */
  registered: (
    person: Pick<Person, 'id'>,
    response: NewPasskey['response'],
  ) => Promise<RegisteredCredential | null>
  /** `known`: those of a person whose password was given; none: the browser offers what it has. */
  optionsToSignIn: (known: Known) => Promise<PublicKeyOptions>
  /** The counter of a valid response; null for a response that is not of this passkey. */
  signedIn: (passkey: Passkey, response: PasskeySignIn['response']) => Promise<number | null>
}

/** Loaded when it is first needed: its parsers of certificates take a fifth of the time in which a service starts. */
const webAuthn = () => import('@simplewebauthn/server')

type PublicKeyOptions = { challenge: string } & object

const SIGN_IN = 'sign in'
const purposeOfMaking = (userId: string): string => `make ${userId}`

export function createCeremonies(relyingParty: RelyingParty, challenges: ChallengeStore): Ceremonies {
  const expected = {
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }
  /** The challenge of a response, when it was one of ours and not used before. */
  const takeChallenge = async (clientDataJSON: string, purpose: string) => {
    const challenge = challengeIn(clientDataJSON)
    return challenge !== null && (await challenges.take(challenge, purpose)) ? challenge : null
  }
  return {
    optionsToMake: async ({ id, email, name }, known) =>
      (await webAuthn()).generateRegistrationOptions({
        rpName: relyingParty.name,
        rpID: relyingParty.id,
        userName: email,
        userDisplayName: name,
        userID: userHandleOf(id),
        challenge: await challenges.issue(purposeOfMaking(id)),
        attestationType: 'none',
        excludeCredentials: known.map(toDescriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    async registered({ id }, response) {
      const challenge = await takeChallenge(response.response.clientDataJSON, purposeOfMaking(id))
      return challenge === null
        ? null
        : verifiedRegistration(response, { ...expected, expectedChallenge: challenge })
    },
    optionsToSignIn: async (known) =>
      (await webAuthn()).generateAuthenticationOptions({
        rpID: relyingParty.id,
        allowCredentials: known.map(toDescriptor),
        challenge: await challenges.issue(SIGN_IN),
        userVerification: 'required',
      }),
    async signedIn(passkey, response) {
      const challenge = await takeChallenge(response.response.clientDataJSON, SIGN_IN)
      if (challenge === null || !isHandleOf(passkey.userId, response.response.userHandle)) return null
      return verifiedCounter(passkey, response, { ...expected, expectedChallenge: challenge })
    },
  }
}

interface Expected {
  expectedChallenge: string
  expectedOrigin: string
  expectedRPID: string
  requireUserVerification: boolean
}

/** The library throws for every invalid response. */
async function verifiedRegistration(
  response: NewPasskey['response'],
  expected: Expected,
): Promise<RegisteredCredential | null> {
  const given: RegistrationResponseJSON = { ...response, clientExtensionResults: {} }
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({ response: given, ...expected }).catch(
    () => ({ registrationInfo: undefined }),
  )
  if (registrationInfo === undefined) return null
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const { transports = [] } = response.response
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports }
}

async function verifiedCounter(
  { publicKey, counter }: Passkey,
  response: PasskeySignIn['response'],
  expected: Expected,
): Promise<number | null> {
  const given: AuthenticationResponseJSON = { ...response, clientExtensionResults: {} }
  const credential = { id: response.id, publicKey: new Uint8Array(publicKey), counter }
  const { verifyAuthenticationResponse } = await webAuthn()
  const result = await verifyAuthenticationResponse({ response: given, credential, ...expected }).catch(
    () => null,
  )
  return result?.verified === true ? result.authenticationInfo.newCounter : null
}

const ClientData = v.object({ challenge: v.string() })

function challengeIn(clientDataJSON: string): string | null {
  try {
    return v.parse(ClientData, JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return null
  }
}

/** What a passkey keeps of whose it is: the user's id, which says nothing about the person. */
function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId))
}

function isHandleOf(userId: string, handle: string | undefined): boolean {
  return handle === undefined || Buffer.from(handle, 'base64url').toString() === userId
}

function toDescriptor({ credentialId, transports }: Known[number]): { id: string; transports: string[] } {
  return { id: credentialId, transports: [...transports] }
}
