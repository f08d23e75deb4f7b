import type { FastifyInstance } from 'fastify'
import { CompanyChange, Origins } from '../../../../contract/dashboard/company/company.ts'
import type { CompanyView } from '../../../../contract/dashboard/company/company.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { Merchant, MerchantsForPeople } from './merchants-for-people.ts'
import type { PciKit } from '../../../../contract/dashboard/company/pci.ts'

interface Parts {
  merchants: MerchantsForPeople
  sessionOf: DashboardAccess['sessionOf']
}

/** The merchant itself: its name, and whose pages may show its card form. */
export function addCompanyRoutes(app: FastifyInstance, { merchants, sessionOf }: Parts): void {
  const company = (permission: 'read' | 'change') => ({ config: { permission, resourceType: 'company' } })
  const origins = (permission: 'read' | 'change') => ({ config: { permission, resourceType: 'origins' } })

  app.get('/api/company', company('read'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'company', toCompanyView(requireMerchant(await merchants.read(merchantId))))
  })

  app.patch('/api/company', company('change'), async (request, reply) => {
    const session = sessionOf(request)
    const { name } = decode(CompanyChange, request.body)
    const renamed = await merchants.inNameOf(actorOf(session)).rename(session.merchantId, name)
    return answer(reply, 200, 'company', toCompanyView(requireMerchant(renamed)))
  })

  app.get('/api/origins', origins('read'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'origins', toOrigins(requireMerchant(await merchants.read(merchantId))))
  })

  app.put('/api/origins', origins('change'), async (request, reply) => {
    const session = sessionOf(request)
    const { allowed_origins: allowed } = decode(Origins, request.body)
    const changed = await merchants
      .inNameOf(actorOf(session))
      .setOrigins(session.merchantId, [...new Set(allowed)])
    return answer(reply, 200, 'origins', toOrigins(requireMerchant(changed)))
  })
}

function toCompanyView({ id, name, preAuth }: Merchant): CompanyView {
  return { id, name, pre_auth: preAuth }
}

function toOrigins({ allowedOrigins }: Merchant): Origins {
  return { allowed_origins: [...allowedOrigins] }
}

/** Nobody is signed in to a merchant that is gone. */
function requireMerchant<Value>(found: Value | null): Value {
  if (found === null) throw new ServiceError('not_found', 'There is no such merchant any more.')
  return found
}

/** What a merchant needs of the SDK for its self-assessment. */
export function addPciRoute(app: FastifyInstance, kit: PciKit | null): void {
  const config = { permission: 'read', resourceType: 'pci_kit' } as const
  app.get('/api/pci', { config }, (_request, reply) => {
    if (kit === null) throw new ServiceError('not_found', 'There is no release of the SDK here.')
    return answer(reply, 200, 'pci_kit', kit)
  })
}
