import { generateSecret, generateURI, verify } from 'otplib'

/** One step before and after the current one: telephones' clocks are a little off (RFC 6238 §5.2). */
const TOLERANCE_SECONDS = 30

/** A new secret of 160 random bits in base32, as authenticator apps take it. */
export const createTotpSecret = (): string => generateSecret()

/** What a QR code for authenticator apps holds. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return generateURI({ secret, issuer, label: email })
}

/** The step of 30 s whose code this is; null for a code of no step near `nowMs` (ms since 1970). */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | null> {
  const epoch = Math.floor(nowMs / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
