import * as v from 'valibot'
import { OverlapSeconds } from '../../api/fields/overlap-seconds.ts'
import { SCOPES } from '../../api/scope.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

const Scopes = v.pipe(v.array(v.picklist(SCOPES)), v.nonEmpty('must name a scope'))

/** A program of the merchant that asks with access tokens, in the list of `GET /api/clients`. */
export const ClientView = v.strictObject({
  id: v.string(),
  scopes: v.array(v.picklist(SCOPES)),
  /** Who issues its tokens; null: this service, by the client's secret. */
  issuer: v.nullable(v.string()),
  created_at: timestamp,
  revoked_at: v.nullable(timestamp),
})
export type ClientView = v.InferOutput<typeof ClientView>

/** Body of `POST /api/clients`. */
export const ClientRequest = v.strictObject({ scopes: Scopes })
export type ClientRequest = v.InferOutput<typeof ClientRequest>

/** Answer to a new client; its secret is shown this once. */
export const MadeClient = v.strictObject({
  id: v.string(),
  client_secret: v.string(),
  scopes: v.array(v.picklist(SCOPES)),
})
export type MadeClient = v.InferOutput<typeof MadeClient>

/** Body of `POST /api/clients/:id/secret`. */
export const SecretRequest = v.strictObject({ overlap_seconds: OverlapSeconds })

/** Answer to a new secret, shown this once. `old_ends_at`: when the last of those before it ends; null: there was none. */
export const MadeSecret = v.strictObject({ client_secret: v.string(), old_ends_at: v.nullable(timestamp) })
export type MadeSecret = v.InferOutput<typeof MadeSecret>
