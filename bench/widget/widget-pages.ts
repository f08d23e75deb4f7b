import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Server } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { CARD_FORM_HEIGHT, frameHtml } from '../../src/contract/page/frame-html.ts'
import { LOCAL_CERTIFICATE, LOCAL_CERTIFICATE_KEY } from '../../src/service/testing/test-certificate.ts'
import { modelLine } from './modelled-line.ts'
import type { Line } from './modelled-line.ts'

/** Hosts of three sites: the shop, the service, and what stands in for the service on the floor pages; and a host of the shop's for the service. */
export const HOSTS = {
  shop: 'shop.test',
  cards: 'cards.test',
  floor: 'floor.test',
  own: 'cards.shop.test',
} as const
type Host = keyof typeof HOSTS

/** Each has a port of its own, so that no connection serves two of them; behind the line, and without it. */
const PORTS: Readonly<Record<Host, number>> = { shop: 48_443, cards: 48_444, floor: 48_445, own: 48_446 }
const DIRECT = 100
export const CARDS_URL = `https://${HOSTS.cards}:${PORTS.cards}`

const urlOf = (host: Host) => `https://${HOSTS[host]}:${PORTS[host]}`

interface File {
  type: string
  caching: string
  content: string
}

const html = (body: string): File => ({
  type: 'text/html; charset=utf-8',
  caching: 'private, no-cache',
  content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pay</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`,
})
const EMPTY_SCRIPT: File = { type: 'text/javascript', caching: 'public, max-age=300', content: '' }
const BARE_INPUT = '<input autocomplete="cc-number" aria-label="Card number">'
const FLOOR_FRAME = `<iframe src="${urlOf('floor')}/frame" style="display:block;width:100%;height:360px;border:0"></iframe>`
const FLOOR_SCRIPT = `<script src="${urlOf('floor')}/empty.js"></script>`

interface FormPage {
  release: string
  publicKey: string
  /** Host that the SDK and the form come from. */
  host: 'cards' | 'own'
  /** Whether the form stands in the page's own HTML. */
  isEarly: boolean
}

function formPage({ release, publicKey, host, isEarly }: FormPage): string {
  const origin = urlOf(host)
  const query = { public_key: publicKey, gateway_id: 'default', language: 'en' }
  const early = {
    origin,
    release,
    document: 'frame',
    query,
    height: CARD_FORM_HEIGHT,
    isCustomised: false,
  } as const
  return `<div id="card">${isEarly ? frameHtml(early) : ''}</div>
<script src="${origin}/sdk/${release}/widget.umd.min.js"></script><script>
const widget = new svc.HtmlWidget('#card', '${publicKey}')
widget.on('afterLoad', () => benchTell('afterLoad', performance.timeOrigin + performance.now()))
widget.load()</script><p>Below</p>`
}

/** The pages that are compared, by what stands over their figures. */
export interface WidgetPages {
  addresses: ReadonlyMap<string, string>
  /** From now on every byte goes by this line; null: as fast as the machine can. */
  use: (line: Line | null) => Promise<void>
  stop: () => Promise<void>
}

/**
 * Serves the pages over TLS 1.3 and HTTP/2, each host by connections of its own; the service stands behind a proxy at `frontPort`. The floors are the least that any such form must load: a
 * script with nothing in it and a frame with a bare input, in this order, and the other way round.
 */
export async function serveWidgetPages(
  frontPort: number,
  publicKey: string,
  releases: { built: string; kept: readonly string[] },
): Promise<WidgetPages> {
  const page = (release: string, more: Partial<FormPage> = {}) =>
    html(formPage({ release, publicKey, host: 'cards', isEarly: false, ...more }))
  const pages: Readonly<Record<string, File>> = {
    floor: html(`${FLOOR_SCRIPT}${FLOOR_FRAME}<p>Below</p>`),
    'frame first': html(`${FLOOR_FRAME}${FLOOR_SCRIPT}<p>Below</p>`),
    form: page(releases.built),
    early: page(releases.built, { isEarly: true }),
    'own host': page(releases.built, { host: 'own' }),
    ...Object.fromEntries(releases.kept.map((release) => [release, page(release)])),
  }
  const files =
    (content: Readonly<Record<string, File>>) =>
    (request: Http2ServerRequest, response: Http2ServerResponse) =>
      sendFile(content[decodeURIComponent(request.url)], response)
  const servers = await Promise.all([
    serve('shop', files(Object.fromEntries(Object.entries(pages).map(([name, file]) => [`/${name}`, file])))),
    serve('floor', files({ '/empty.js': EMPTY_SCRIPT, '/frame': html(BARE_INPUT) })),
  ])
  let lines: Server[] = []
  const hang = async () => {
    for (const line of lines.splice(0)) await new Promise<void>((done) => line.close(() => done()))
  }
  return {
    addresses: new Map(
      Object.keys(pages).map((name) => [name, `${urlOf('shop')}/${encodeURIComponent(name)}`]),
    ),
    async use(line) {
      await hang()
      const shared = { down: 0, up: 0 }
      const fast = { rttMs: 0, down: Infinity, up: Infinity }
      const targets = [
        [PORTS.shop, PORTS.shop + DIRECT],
        [PORTS.floor, PORTS.floor + DIRECT],
        [PORTS.cards, frontPort],
        [PORTS.own, frontPort],
      ] as const
      lines = targets.map(([port, target]) => modelLine(port, target, line ?? fast, shared))
      for (const one of lines) if (!one.listening) await once(one, 'listening')
    },
    async stop() {
      await hang()
      for (const server of servers) server.close()
    },
  }
}

async function serve(
  host: Host,
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<Http2SecureServer> {
  const server = createSecureServer({ cert: LOCAL_CERTIFICATE, key: LOCAL_CERTIFICATE_KEY }, answer)
  server.listen(PORTS[host] + DIRECT)
  await once(server, 'listening')
  return server
}

function sendFile(file: File | undefined, response: Http2ServerResponse): void {
  if (file === undefined) {
    response.writeHead(404)
    response.end()
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
}
