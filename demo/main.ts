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
  // The process that started this one, with a channel to it, has ended.
  process.once('disconnect', stop)
}

run().catch((error: unknown) => {
  process.stderr.write(`Demo shop: ${wordsOf(error)}\n`)
  process.exit(1)
})

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  return isTaken
    ? `${error.message}: stop what listens there, or give SVC_DEMO_PORT another port`
    : error.message
}
