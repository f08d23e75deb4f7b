import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { NewPasskey } from '../../../../contract/dashboard/people/passkey.ts'
import type { MadePasskey, PasskeyOptions } from '../../../../contract/dashboard/people/passkey.ts'
import { NoContent } from '../../../../contract/dashboard/people/sign-in.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { OwnPasskeys } from '../settings/own-passkeys.ts'
import type { ActOf } from './act-of.ts'
import { toPasskeyView } from './resources.ts'

const PasskeyParams = v.object({ id: Identifier })

/** The routes by which a person adds and removes the own passkeys. */
export function addPasskeyRoutes(
  app: FastifyInstance,
  { actOf, ownPasskeys }: { actOf: ActOf; ownPasskeys: OwnPasskeys },
): void {
  const own = { resourceType: 'passkey', permission: 'own_account' } as const
  const config = { config: own }
  const fresh = { config: { ...own, needsFreshPassword: true } }

  app.get('/api/user/passkeys', config, async (request, reply) => {
    const passkeys = await ownPasskeys.list(actOf(request))
    return answer(reply, 200, 'passkey', passkeys.map(toPasskeyView))
  })

  app.post('/api/user/passkeys/options', fresh, async (request, reply) => {
    const act = actOf(request)
    decode(NoContent, request.body)
    const options: PasskeyOptions['options'] = { ...(await ownPasskeys.options(act)) }
    return answer(reply, 200, 'passkey', { options })
  })

  app.post('/api/user/passkeys', fresh, async (request, reply) => {
    const act = actOf(request)
    const passkey = decode(NewPasskey, request.body, ['response'])
    const { recoveryCodes, ...made } = await ownPasskeys.add(act, passkey)
    const view: MadePasskey = {
      ...toPasskeyView({ ...made, lastUsedAt: null }),
      recovery_codes: recoveryCodes,
    }
    return answer(reply, 201, 'passkey', view)
  })

  app.delete('/api/user/passkeys/:id', fresh, async (request, reply) => {
    const act = actOf(request)
    await ownPasskeys.remove(act, decode(PasskeyParams, request.params).id)
    return answer(reply, 200, 'passkey', null)
  })
}
