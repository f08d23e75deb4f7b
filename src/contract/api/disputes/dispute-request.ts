import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { singleLineText } from '../fields/single-line-text.ts'
import { text } from '../fields/text.ts'
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES, MAX_STATEMENT } from './dispute-resource.ts'

/** Base64 of the most bytes. */
const MAX_BASE64 = Math.ceil(MAX_EVIDENCE_BYTES / 3) * 4

/** Body of `POST /v1/disputes/{id}/documents`. */
export const DocumentRequest = v.strictObject(
  {
    type: text(100),
    name: v.pipe(
      singleLineText(100),
      v.check((name) => /^[^/\\]*[^/\\.][^/\\]*$/.test(name), 'must be the name of a file, without a folder'),
    ),
    content_type: v.picklist(EVIDENCE_TYPES, 'must be application/pdf, image/jpeg or image/png'),
    content: v.pipe(
      v.string(),
      v.nonEmpty('must not be empty'),
      v.maxLength(MAX_BASE64, 'must be base64 of 2,000,000 bytes at most'),
      v.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'),
    ),
  },
  onlyKnown('type, name, content_type and content'),
)
export type DocumentRequest = v.InferOutput<typeof DocumentRequest>

/** Body of `POST /v1/disputes/{id}/defend`. */
export const DefendRequest = v.strictObject(
  {
    defence: text(100),
    /** What the issuer is told, where the gateway takes words. */
    statement: v.optional(text(MAX_STATEMENT)),
    /** The ids of the documents that are to be sent, as the merchant has seen them: it is refused if others would be. */
    documents: v.optional(
      v.pipe(v.array(Identifier), v.maxLength(MAX_EVIDENCE_FILES, 'a dispute has ten documents at most')),
    ),
  },
  onlyKnown('defence, statement and documents'),
)
export type DefendRequest = v.InferOutput<typeof DefendRequest>
