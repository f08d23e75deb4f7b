import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Takes the whole export of a merchant's charges, as fast as it comes, and says how much memory the process had meanwhile. */
export async function benchExport(app: FastifyInstance, say: (line: string) => void): Promise<void> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const began = performance.now()
  const before = process.memoryUsage.rss()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address}/api/charges.csv?time_zone=Australia/Adelaide`, { agent: false }, resolve).on(
      'error',
      reject,
    )
  })
  let lines = 0
  let bytes = 0
  let most = before
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines += 1
    most = Math.max(most, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - began) / 1000
  const mega = (count: number) => (count / 1e6).toFixed(0)
  say(
    `\nexport: ${String(lines - 1)} charges, ${mega(bytes)} MB in ${seconds.toFixed(0)} s; the process had ${mega(before)} MB before, ${mega(most)} MB at most`,
  )
}
