import { join } from 'node:path'
import { readConfig } from '../../src/service/config.ts'
import { createLog } from '../../src/service/platform/http/log.ts'
import { openDatabase } from '../../src/service/open-database.ts'
import type { Gateway, GatewayAnswer } from '../../src/service/domains/gateways/gateway.ts'
import { composeService } from '../compose-service.ts'

/** Runs the service as its own process, with a gateway that answers at once, and sends a merchant's keys to its parent. */
async function run(): Promise<void> {
  const config = readConfig()
  const { database } = await openDatabase(
    config.databaseUrl ?? '',
    () => undefined,
    createLog('warn', process.stdout),
  )
  const service = await composeService({
    config,
    database,
    releaseFolders: [join(process.cwd(), 'dist', 'releases')],
    findSession: () => Promise.resolve(null),
    gateways: { sandbox: createInstantGateway() },
  })
  const merchant = { name: 'Bench', preAuth: true, allowedOrigins: [] }
  const { publicKey, secretKey } = await service.merchants.make(merchant, () => undefined)
  await service.app.listen({ port: config.port, host: '127.0.0.1' })
  process.on('message', () => process.send?.({ memory: process.memoryUsage.rss() }))
  process.send?.({ publicKey, secretKey })
  process.on('disconnect', () => process.exit(0))
}

run().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

/** A gateway that approves everything at once, so that only the service is measured. */
function createInstantGateway(): Gateway {
  const approve = ({ attemptId }: { attemptId: string }): Promise<GatewayAnswer> =>
    Promise.resolve({
      kind: 'approved',
      code: '00',
      description: 'Approved',
      externalId: attemptId,
      externalReference: '000000000000',
      holdSeconds: 604_800,
    })
  return {
    authorise: approve,
    capture: approve,
    cancel: approve,
    refund: approve,
    outcomeOf: () => Promise.resolve({ kind: 'not_received' }),
  }
}
