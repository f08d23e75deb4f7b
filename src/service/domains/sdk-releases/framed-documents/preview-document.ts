import { createHash } from 'node:crypto'
import { markup } from '../../../platform/markup.ts'
import type { Release } from '../release.ts'

interface Parts {
  widgetUrl: string
  dashboardUrl: string
  script: string
}

export interface PreviewDocument {
  html: string
  /** Its Content-Security-Policy. */
  policy: string
}

const STYLE = `:root{color-scheme:light;background:#fff;color:#1b2430;font:14px/1.5 system-ui,sans-serif}
body{margin:0;padding:0 16px 16px}
p{margin:0 -16px 16px;padding:6px 16px;background:#fdf2d9;color:#6b4500;font-size:12px;font-weight:600}`

/** The document that shows a release's card form to who edits how it looks; null for a release without its script. */
export function previewDocument(
  { version, files }: Release,
  { widgetUrl, dashboardUrl, script }: Parts,
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
    // Without allow-forms: what is typed in a frame within it can't be submitted.
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
