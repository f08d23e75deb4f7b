import { SignJWT } from 'jose'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Scope } from '../../../../contract/api/scope.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import { SIGNING_ALGORITHM } from '../keys/signing-keys.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'

export const LIFETIME_SECONDS = 900

/** Makes an access token (RFC 9068) of the built-in issuer. */
export type IssueToken = (clientId: string, scopes: readonly Scope[]) => Promise<string>

interface Parts {
  keys: Pick<SigningKeys, 'current'>
  /** The service's own address: it issues tokens for itself alone. */
  issuer: string
  createId: CreateId
  timeOfDay: TimeOfDay
}

export function createIssueToken({ keys, issuer, createId, timeOfDay }: Parts): IssueToken {
  return async (clientId, scopes) => {
    const { id, privateKey } = await keys.current()
    const issuedAt = Math.floor(timeOfDay.epochMs() / 1000)
    return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: id })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(clientId)
      .setJti(createId())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(privateKey)
  }
}
