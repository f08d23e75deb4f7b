import * as v from 'valibot'
import { Identifier } from '../../api/fields/identifier.ts'
import { singleLineText } from '../../api/fields/single-line-text.ts'

const LONGEST_PART = 16_384
const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/, 'must be base64url'), v.maxLength(LONGEST_PART))
const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** What browsers' WebAuthn takes, in its JSON form: `PublicKeyCredential.parseRequestOptionsFromJSON` reads it. */
export const PasskeyOptions = v.strictObject({ options: v.looseObject({ challenge: v.string() }) })
export type PasskeyOptions = v.InferOutput<typeof PasskeyOptions>

const credential = {
  id: base64url,
  rawId: base64url,
  type: v.literal('public-key'),
  clientExtensionResults: v.optional(v.looseObject({}), {}),
}

/** Body of `POST /api/session/passkey`: what `navigator.credentials.get` gave, as its `toJSON`. */
export const PasskeySignIn = v.strictObject({
  response: v.object({
    ...credential,
    response: v.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: v.exactOptional(base64url),
    }),
  }),
})
export type PasskeySignIn = v.InferOutput<typeof PasskeySignIn>

/** Body of `POST /api/user/passkeys`: what `navigator.credentials.create` gave, as its `toJSON`, under a name. */
export const NewPasskey = v.strictObject({
  name: singleLineText(100),
  response: v.object({
    ...credential,
    response: v.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(8))),
    }),
  }),
})
export type NewPasskey = v.InferOutput<typeof NewPasskey>

export const PasskeyView = v.strictObject({
  id: Identifier,
  name: v.string(),
  created_at: timestamp,
  last_used_at: v.nullable(timestamp),
})
export type PasskeyView = v.InferOutput<typeof PasskeyView>

/** Answer to a new passkey. A person who had no recovery codes gets some with it, shown this once. */
export const MadePasskey = v.strictObject({
  ...PasskeyView.entries,
  recovery_codes: v.nullable(v.array(v.string())),
})
export type MadePasskey = v.InferOutput<typeof MadePasskey>
