import * as v from 'valibot'
import { REASON_CODES } from './agreement-request.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { text } from '../fields/text.ts'

/** Body of `PATCH /agreements/{id}/status` (contract §6.4). */
export const StatusRequest = v.pipe(
  v.strictObject(
    {
      action: v.picklist(['suspend', 'release', 'cancel'], 'must be suspend, release or cancel'),
      reason_code: v.optional(v.picklist(REASON_CODES, `must be one of ${REASON_CODES.join(', ')}`)),
      reason: v.optional(text(140)),
    },
    onlyKnown('action, reason_code and reason'),
  ),
  v.forward(
    v.check(
      ({ action, reason_code: code }) => action === 'release' || code !== undefined,
      'must be given to suspend or cancel',
    ),
    ['reason_code'],
  ),
)
export type StatusRequest = v.InferOutput<typeof StatusRequest>
