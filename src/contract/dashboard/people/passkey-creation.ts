import * as v from 'valibot'

/**
 * The options of a new passkey as `PublicKeyCredential.parseCreationOptionsFromJSON` reads them: the parts that WebAuthn
 * requires; what else is in them is handed on.
 */
export const PasskeyCreation = v.strictObject({
  options: v.looseObject({
    challenge: v.string(),
    rp: v.looseObject({ name: v.string() }),
    user: v.looseObject({ id: v.string(), name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
  }),
})
export type PasskeyCreation = v.InferOutput<typeof PasskeyCreation>
