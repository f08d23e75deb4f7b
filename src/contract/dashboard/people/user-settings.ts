import * as v from 'valibot'
import { KnownPassword, NewPassword, PersonName, TotpCode } from './credentials.ts'

/** Body of `POST /api/user/password`. */
export const PasswordChange = v.strictObject({ old: KnownPassword, new: NewPassword })
export type PasswordChange = v.InferOutput<typeof PasswordChange>

/** Body of `PATCH /api/user`. */
export const UserChange = v.strictObject({
  name: v.optional(PersonName),
  time_zone: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'must be a time zone such as Australia/Sydney')),
  ),
})
export type UserChange = v.InferOutput<typeof UserChange>

/** By the runtime's own list, which is that of IANA; offsets such as +10:00 are no zones. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** What an authenticator app is set up with: the secret to type in, and the same as an `otpauth:` URI for a QR code. */
export const TotpSetup = v.strictObject({ secret: v.string(), uri: v.string() })
export type TotpSetup = v.InferOutput<typeof TotpSetup>

/** Body of `POST /api/user/totp/confirm`. */
export const TotpConfirmation = v.strictObject({ code: TotpCode })

/** New recovery codes, shown this once; those before them are void. */
export const RecoveryCodes = v.strictObject({ recovery_codes: v.pipe(v.array(v.string()), v.length(10)) })
export type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>
