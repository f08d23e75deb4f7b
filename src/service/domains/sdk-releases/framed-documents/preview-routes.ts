import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { decode } from '../../../platform/http/requests/decode.ts'
import { answerContent, compressibleContentOf } from '../../../platform/http/answers/content.ts'
import { latestOf } from '../release.ts'
import type { Release } from '../release.ts'
import { DOCUMENT_HEADERS } from './frame-documents.ts'
import { previewDocument } from './preview-document.ts'
import type { PreviewDocument } from './preview-document.ts'

interface Parts {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  dashboardUrl: string
  /** Null where it was not built: then no release has a preview. */
  script: string | null
}

const PreviewPath = v.object({ release: v.string() })

/** The document of every release in which the dashboard shows its card form; docs/decisions.md says why it is here. */
export function addPreviewRoutes(
  app: FastifyInstance,
  releases: readonly Release[],
  { widgetUrl, dashboardUrl, script }: Parts,
): void {
  const documents = new Map<string, PreviewDocument>(
    releases.flatMap((release) => {
      const made = script === null ? null : previewDocument(release, { widgetUrl, dashboardUrl, script })
      return made === null ? [] : [[`v${release.version}`, made] as const]
    }),
  )
  const latest = documents.get(`v${latestOf(releases)?.version ?? ''}`)
  if (latest !== undefined) documents.set('latest', latest)
  const contents = new Map(
    [...documents].map(([name, { html, policy }]) => [
      name,
      { policy, content: compressibleContentOf(Buffer.from(html), { brotliQuality: 11 }) },
    ]),
  )
  app.get(
    '/sdk/:release/preview',
    { config: { resourceType: 'frame', isRoutine: true } },
    async (request, reply) => {
      const found = contents.get(decode(PreviewPath, request.params).release)
      if (found === undefined) {
        reply.callNotFound()
        return reply
      }
      return answerContent(request, reply, found.content, {
        ...DOCUMENT_HEADERS,
        'content-security-policy': found.policy,
      })
    },
  )
}
