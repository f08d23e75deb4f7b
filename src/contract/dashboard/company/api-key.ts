import * as v from 'valibot'
import { OverlapSeconds } from '../../api/fields/overlap-seconds.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

export const KeyKind = v.picklist(['public', 'secret'], 'must be public or secret')
export type KeyKind = v.InferOutput<typeof KeyKind>

/** An id of a key, by which the key itself can't be found out. */
export const KeyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'id must be 16 hex characters'))

/** A key in the list of `GET /api/keys`, oldest first. */
export const KeyView = v.strictObject({
  id: KeyId,
  kind: KeyKind,
  /** The key itself, of a public key. Null of a secret one, which is shown as it is made and kept nowhere; and of one made before keys were kept for showing: a new one will be. */
  key: v.nullable(v.string()),
  created_at: timestamp,
  /** When it was last used, to the hour; null for one that was not used yet. */
  last_used_at: v.nullable(timestamp),
  /** When it ends or has ended; null while it has no end. */
  ends_at: v.nullable(timestamp),
  is_revoked: v.boolean(),
})
export type KeyView = v.InferOutput<typeof KeyView>

/** Body of `POST /api/keys`: a new key; those of its kind that there are work on for the overlap. */
export const KeyRequest = v.strictObject({ kind: KeyKind, overlap_seconds: OverlapSeconds })
export type KeyRequest = v.InferOutput<typeof KeyRequest>

/** Answer to a new key. A secret one is shown this once. `ended`: the keys that it takes the place of, with their ends. */
export const MadeKey = v.strictObject({ id: KeyId, key: v.string(), ended: v.array(KeyView) })
export type MadeKey = v.InferOutput<typeof MadeKey>
