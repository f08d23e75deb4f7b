import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { brotliCompressSync } from 'node:zlib'

/** Ports of the merchant's origin, and of the origin that stands in for the service on the floor page. */
const PAGE_PORT = 48_282
const FLOOR_PORT = 48_283
const PAGE_URL = `http://localhost:${PAGE_PORT}`
const FLOOR_URL = `http://localhost:${FLOOR_PORT}`

interface File {
  type: string
  caching: string
  content: string
}

/** The two pages that are compared, while they are served. */
export interface WidgetPages {
  /** A page with the card form of what is built here. */
  form: string
  /** The same with the newest kept release: what it was like before. */
  released: string
  /** The least that any such form must load: a script with nothing in it, then a frame with a bare input. */
  floor: string
  stop: () => Promise<void>
}

const html = (body: string): File => ({
  type: 'text/html; charset=utf-8',
  caching: 'private, no-cache',
  content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pay</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`,
})
const script: File = {
  type: 'application/javascript; charset=utf-8',
  caching: 'public, max-age=300',
  content: '',
}

/** `release`: as it stands in addresses, such as `v1.1.0`. */
const formPage = (serviceUrl: string, key: string, release: string) => `<div id="card"></div>
<script src="${serviceUrl}/sdk/${release}/widget.umd.min.js"></script><script>
const widget = new svc.HtmlWidget('#card', '${key}')
widget.on('afterLoad', () => benchTell('afterLoad', performance.timeOrigin + performance.now()))
widget.load()</script><p>Below</p>`
const floorPage = `<script src="${FLOOR_URL}/empty.js"></script>
<iframe src="${FLOOR_URL}/frame" style="display:block;width:100%;height:360px;border:0"></iframe><p>Below</p>`
const bareInput = '<input autocomplete="cc-number" aria-label="Card number">'

/** Serves both pages from one origin, and what the floor page loads from another, brotli as the service does. */
export async function serveWidgetPages(
  serviceUrl: string,
  publicKey: string,
  releases: { built: string; released: string },
): Promise<WidgetPages> {
  const form = (release: string) => html(formPage(serviceUrl, publicKey, release))
  const servers = [
    await serve(PAGE_PORT, {
      '/form': form(releases.built),
      '/released': form(releases.released),
      '/floor': html(floorPage),
    }),
    await serve(FLOOR_PORT, { '/empty.js': script, '/frame': html(bareInput) }),
  ]
  return {
    form: `${PAGE_URL}/form`,
    released: `${PAGE_URL}/released`,
    floor: `${PAGE_URL}/floor`,
    async stop() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

async function serve(port: number, files: Readonly<Record<string, File>>): Promise<Server> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? '/']
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    const body = brotliCompressSync(file.content)
    response.writeHead(200, {
      'content-type': file.type,
      'content-encoding': 'br',
      'content-length': body.length,
      'cache-control': file.caching,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    response.end(body)
  })
  server.listen(port)
  await once(server, 'listening')
  return server
}
