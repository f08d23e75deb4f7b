import * as v from 'valibot'
import { Email, KnownPassword, TotpCode } from './credentials.ts'

/** Body of `POST /api/session`. */
export const SignInRequest = v.strictObject({ email: Email, password: KnownPassword })
export type SignInRequest = v.InferOutput<typeof SignInRequest>

/** Ways to give a second factor. */
export const SecondFactor = v.picklist(['totp', 'passkey', 'recovery_code'])
export type SecondFactor = v.InferOutput<typeof SecondFactor>

/** How far a person is: in, or asked for a second factor by one of these ways. */
export const SignInState = v.variant('state', [
  v.strictObject({ state: v.literal('signed_in') }),
  v.strictObject({ state: v.literal('second_factor'), methods: v.array(SecondFactor) }),
])
export type SignInState = v.InferOutput<typeof SignInState>

/** Body of `POST /api/session/second_factor`: a code of the authenticator app, or one of the recovery codes. */
export const SecondFactorRequest = v.union(
  [
    v.strictObject({ code: TotpCode }),
    v.strictObject({ recovery_code: v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(64)) }),
  ],
  'must have code or recovery_code',
)
export type SecondFactorRequest = v.InferOutput<typeof SecondFactorRequest>

/** Body of `POST /api/session/confirm`: the password once more, for acts that answer `password_required`. */
export const PasswordConfirmation = v.strictObject({ password: KnownPassword })

/** Until when such acts are open. */
export const ConfirmedView = v.strictObject({ fresh_until: v.pipe(v.string(), v.isoTimestamp()) })
export type ConfirmedView = v.InferOutput<typeof ConfirmedView>

/** Body of requests without content. */
export const NoContent = v.optional(v.strictObject({}))
