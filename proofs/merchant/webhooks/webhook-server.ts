import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'

/** A merchant's server for webhooks. */
export interface WebhookServer {
  url: string
  close: () => Promise<void>
}

/** Starts one that asks `isTaken` of each message: one that is not taken is answered 400, and so is sent again. */
export async function startWebhookServer(
  isTaken: (headers: IncomingHttpHeaders, body: string) => boolean,
): Promise<WebhookServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      response.writeHead(isTaken(request.headers, body) ? 204 : 400).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
