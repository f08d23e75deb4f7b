import { permits } from '../../../../contract/dashboard/people/permission.ts'
import type { MerchantAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { actorOf, notSignedIn } from '../../../platform/http/callers/session.ts'
import type { Session } from '../../../platform/http/callers/session.ts'
import type { AnswerIdempotently } from '../../../platform/idempotency.ts'
import type { SessionOfRequest } from './admit-people.ts'

interface Merchant {
  id: string
  preAuth: boolean
}

interface Parts {
  sessionOf: SessionOfRequest
  /** A merchant as it is now. */
  readMerchant: (id: string) => Promise<Merchant | null>
  answerIdempotently: AnswerIdempotently
}

/**
 * Lets people use the routes of their merchant's server: a session stands in place of the secret key and of an access token
 * with every scope. What the person's role permits was asked for before.
 */
export function createSessionAccess({ sessionOf, readMerchant, answerIdempotently }: Parts): MerchantAccess {
  const signedIn = (session: Session | null): Session => {
    if (session === null) throw new Error('a route asks whose request it is, and is open to all')
    return session
  }
  return {
    async authenticate(request, kind) {
      if (kind === 'public') throw new ServiceError('forbidden', 'No page of a merchant asks the dashboard.')
      const { merchantId, user, role } = signedIn(sessionOf(request))
      const merchant = await readMerchant(merchantId)
      if (merchant === null) throw notSignedIn()
      return { ...merchant, userId: user.id, readsOnly: !permits(role, 'change') }
    },
    authorize(request) {
      const session = signedIn(sessionOf(request))
      return Promise.resolve({ merchantId: session.merchantId, clientId: actorOf(session) })
    },
    answerIdempotently,
  }
}
