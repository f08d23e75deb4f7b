import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { markup } from '../../platform/markup.ts'
import { answerContent, compressibleContentOf } from '../../platform/http/answers/content.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { DOCUMENT_HEADERS } from './documents.ts'
import { latestOf } from './release.ts'
import type { Release } from './release.ts'

interface PreviewDeps {
  /** Origin that SDK and frame are served from. */
  widgetUrl: string
  dashboardUrl: string
  /** Null if it was not built: then no release has a preview. */
  script: string | null
}

const PreviewPath = v.object({ release: v.string() })

/** The document in which the dashboard shows a release's card form; docs/decisions.md says why it is here. */
export function addPreviewRoutes(
  app: FastifyInstance,
  releases: readonly Release[],
  { widgetUrl, dashboardUrl, script }: PreviewDeps,
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

interface PreviewDocument {
  html: string
  /** Its Content-Security-Policy. */
  policy: string
}

const STYLE = `:root{color-scheme:light;background:#fff;color:#1b2430;font:14px/1.5 system-ui,sans-serif}
body{margin:0;padding:0 16px 16px}
p{margin:0 -16px 16px;padding:6px 16px;background:#fdf2d9;color:#6b4500;font-size:12px;font-weight:600}`

/** Null for a release without a widget script. */
function previewDocument(
  { version, files }: Release,
  { widgetUrl, dashboardUrl, script }: { widgetUrl: string; dashboardUrl: string; script: string },
): PreviewDocument | null {
  const sdk = files.get('widget.umd.min.js')
  if (sdk === undefined) return null
  const address = `${widgetUrl}/sdk/v${version}/widget.umd.min.js`
  const { html } = markup`<!doctype html>
<html lang="en" data-dashboard="${dashboardUrl}">
<head>
<meta charset="utf-8">
<title>Preview of the card form</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${{ html: STYLE }}</style>
</head>
<body>
<p>Preview: nothing that is typed here is sent.</p>
<div id="form"></div>
<script src="${address}" integrity="${sdk.integrity}" crossorigin="anonymous"></script>
<script>${{ html: script }}</script>
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `script-src ${address} ${hashOf(script)}`,
    `style-src ${hashOf(STYLE)}`,
    `frame-src ${widgetUrl}`,
    `frame-ancestors ${dashboardUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    // Without allow-forms: a frame within it can't submit what is typed.
    'sandbox allow-scripts allow-same-origin',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return { html, policy: policy.join('; ') }
}

/** A source of a Content-Security-Policy. */
function hashOf(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline).digest('base64')}'`
}
