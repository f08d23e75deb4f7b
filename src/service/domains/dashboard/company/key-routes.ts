import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { KeyId, KeyRequest } from '../../../../contract/dashboard/company/api-key.ts'
import type { KeyView, MadeKey } from '../../../../contract/dashboard/company/api-key.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { ListedKey, MerchantsForPeople } from './merchants-for-people.ts'

interface Parts {
  merchants: MerchantsForPeople
  sessionOf: DashboardAccess['sessionOf']
}

const KeyParams = v.object({ id: KeyId })

const reading = { config: { permission: 'read', resourceType: 'api_key' } } as const
const changing = {
  config: { permission: 'see_secrets', needsFreshPassword: true, resourceType: 'api_key' },
} as const

/** A merchant's keys: which there are, a new one, and the end of one. */
export function addKeyRoutes(app: FastifyInstance, { merchants, sessionOf }: Parts): void {
  app.get('/api/keys', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'api_key', (await merchants.keys.list(merchantId)).map(toKeyView), null)
  })

  app.post('/api/keys', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { kind, overlap_seconds: overlapSeconds } = decode(KeyRequest, request.body)
    const { keys } = merchants.inNameOf(actorOf(session))
    const rolled = await keys.roll(session.merchantId, kind, overlapSeconds)
    if (rolled === null) throw new ServiceError('not_found', 'There is no such merchant any more.')
    const made: MadeKey = { id: rolled.id, key: rolled.key, ended: rolled.ended.map(toKeyView) }
    return answer(reply, 201, 'api_key', made)
  })

  app.delete('/api/keys/:id', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(KeyParams, request.params)
    const isOwn = (await merchants.keys.list(session.merchantId)).some((key) => key.id === id)
    const revoked = isOwn ? await merchants.inNameOf(actorOf(session)).keys.revoke(id) : null
    if (revoked === null) throw new ServiceError('not_found', 'There is no such key that has not ended.')
    return answer(reply, 200, 'api_key', toKeyView(revoked))
  })
}

function toKeyView({ id, kind, key, createdAt, lastUsedAt, revokedAt, isRevoked }: ListedKey): KeyView {
  return {
    id,
    kind,
    key,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    ends_at: revokedAt?.toISOString() ?? null,
    is_revoked: isRevoked,
  }
}
