import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { KeySetup } from '../../contract/frame-setup.ts'
import { LANGUAGES } from '../../contract/widget-appearance.ts'
import { decode } from '../http/decode.ts'
import { frameContentSecurityPolicy } from './content-security-policy.ts'
import { createFrameDocuments } from './frame-documents.ts'
import { readFrameTemplate } from './frame-template.ts'

/** What the page of a widget gets for its key: the set-up, and who may show it. */
export interface WidgetSetup {
  setup: KeySetup
  ancestors: readonly string[]
}

interface Parts {
  /** Folder of the build: `sdk/` and `frame/` are in it. */
  distDir: string
  version: string
  tokensUrl: string
  /** Where the texts of other languages are: a folder of this version's files. */
  languagesUrl: string
  setupFor: (publicKey: string, gatewayId: string) => Promise<WidgetSetup>
}

const YEAR_SECONDS = 31_536_000
const LATEST_SECONDS = 300

const FrameQuery = v.object({
  public_key: v.optional(v.string(), ''),
  gateway_id: v.optional(v.string(), 'default'),
  /** One that is not known is as good as none. */
  language: v.fallback(v.optional(v.picklist(LANGUAGES)), undefined),
})

/** The SDK's files, for ever under their version and for a while as `latest`, and the frame document (§1, §5). */
export async function addSdkRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const sdk = join(parts.distDir, 'sdk')
  const forEver = `public, max-age=${YEAR_SECONDS}, immutable`
  await addFiles(app, sdk, `/sdk/v${parts.version}/`, forEver)
  await addFiles(app, sdk, '/sdk/latest/', `public, max-age=${LATEST_SECONDS}`)
  await addFiles(
    app,
    join(parts.distDir, 'frame', 'languages'),
    new URL(parts.languagesUrl).pathname,
    forEver,
  )
  for (const version of [`v${parts.version}`, 'latest']) addFrame(app, parts, `/sdk/${version}/frame`)
}

async function addFiles(app: FastifyInstance, root: string, prefix: string, caching: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix,
    decorateReply: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => {
      void reply.headers({
        'cache-control': caching,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'timing-allow-origin': '*',
      })
    },
  })
}

function addFrame(app: FastifyInstance, parts: Parts, path: string): void {
  const { distDir, tokensUrl, languagesUrl, setupFor } = parts
  const template = readFrameTemplate(join(distDir, 'frame'))
  const documentFor = createFrameDocuments(template)
  app.get(path, { config: { resourceType: 'frame' } }, async (request, reply) => {
    const { public_key: publicKey, gateway_id: gatewayId, language } = decode(FrameQuery, request.query)
    const { setup, ancestors } = await setupFor(publicKey, gatewayId)
    const { html, brotli, etag } = await documentFor(setup, language)
    void reply.type('text/html; charset=utf-8').headers({
      'cache-control': 'private, no-cache',
      etag,
      vary: 'accept-encoding',
      'content-security-policy': frameContentSecurityPolicy({
        ...template,
        tokensUrl,
        languagesUrl,
        ancestors,
      }),
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
      request.headers['accept-encoding'] ?? '',
    )
    return takesBrotli ? reply.header('content-encoding', 'br').send(brotli) : reply.send(html)
  })
}
