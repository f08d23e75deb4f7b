import { createHash } from 'node:crypto'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { runnerImport } from 'vite'
import type { Plugin } from 'vite'
import { SETUP_ELEMENT_ID } from '../src/contract/frame-setup.ts'
import type * as State from '../src/frame/form-state.ts'
import type * as Page from '../src/frame/frame-page.tsx'

/** What the service puts its set-up in place of (JSON in which `<` is escaped). */
const SETUP_PLACEHOLDER = '__SVC_SETUP__'

interface DocumentParts {
  markup: string
  style: string
  script: string
}

/** Composes the frame's one self-contained document out of its script, style and prerendered markup. */
export function frameDocument(): Plugin {
  return {
    name: 'frame-document',
    enforce: 'post',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const script: string[] = []
      const style: string[] = []
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script.push(file.code)
        else if (name.endsWith('.css')) style.push(String(file.source))
        Reflect.deleteProperty(bundle, name)
      }
      const parts = { markup: await prerender(), style: style.join('').trim(), script: inline(script) }
      this.emitFile({ type: 'asset', fileName: 'frame.html', source: withOnePlaceholder(documentOf(parts)) })
      this.emitFile({ type: 'asset', fileName: 'frame.json', source: JSON.stringify(hashesOf(parts)) })
    },
  }
}

/** The form as it is before anything is typed or set, so that it is seen before the script runs. */
async function prerender(): Promise<string> {
  const { FramePage } = (await runnerImport<typeof Page>('./src/frame/frame-page.tsx')).module
  const { createFormState } = (await runnerImport<typeof State>('./src/frame/form-state.ts')).module
  const nothing = () => undefined
  return renderToString(h(FramePage, { form: createFormState(() => 0), emit: nothing, submit: nothing }))
}

/** One script that can stand in markup: nothing in it ends the element or opens a comment in it. */
function inline(chunks: string[]): string {
  if (chunks.length !== 1) throw new Error(`the frame must be one script, it is ${String(chunks.length)}`)
  return (chunks[0] ?? '').trim().replace(/<(?=\/script|script|!--)/gi, '\\x3c')
}

function documentOf({ markup, style, script }: DocumentParts): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Card details</title>',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<style>${style}</style></head><body><div id="frame">${markup}</div>`,
    `<script type="application/json" id="${SETUP_ELEMENT_ID}">${SETUP_PLACEHOLDER}</script>`,
    `<script>${script}</script></body></html>`,
  ].join('')
}

/** The service fills the placeholder by its text alone, so nothing else in the document may read like it. */
function withOnePlaceholder(html: string): string {
  const found = html.split(SETUP_PLACEHOLDER).length - 1
  if (found !== 1)
    throw new Error(`${SETUP_PLACEHOLDER} must stand in the document once, not ${String(found)} times`)
  return html
}

/** What the service names in the document's Content-Security-Policy. */
function hashesOf({ style, script }: DocumentParts) {
  return { script_hashes: [sha256(script)], style_hashes: [sha256(style)] }
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
