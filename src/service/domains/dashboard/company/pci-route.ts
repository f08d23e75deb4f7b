import type { FastifyInstance } from 'fastify'
import type { PciKit } from '../../../../contract/dashboard/company/pci.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'

/** What a merchant needs of the SDK for its self-assessment. */
export function addPciRoute(app: FastifyInstance, kit: PciKit | null): void {
  const config = { permission: 'read', resourceType: 'pci_kit' } as const
  app.get('/api/pci', { config }, (_request, reply) => {
    if (kit === null) throw new ServiceError('not_found', 'There is no release of the SDK here.')
    return answer(reply, 200, 'pci_kit', kit)
  })
}
