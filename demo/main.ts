import { readShopConfig } from './shop-config.ts'
import { createShopServer } from './shop-server.ts'

async function run(): Promise<void> {
  const config = readShopConfig()
  const app = await createShopServer(config.keysFile)
  await app.listen({ port: config.port, host: 'localhost' })
  process.stdout.write(`Demo shop: http://localhost:${String(config.port)}\n`)

  process.send?.('ready')

  const stop = () => void app.close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // Whoever started this process with a channel to it is gone.
  process.once('disconnect', stop)
}

run().catch((error: unknown) => {
  process.stderr.write(`Demo shop: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
