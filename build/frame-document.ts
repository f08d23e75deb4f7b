import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { runnerImport } from 'vite'
import type { Plugin } from 'vite'
import { SETUP_ELEMENT_ID } from '../src/contract/frame-setup.ts'
import { doubleQuoted } from './double-quoted.ts'
import type * as State from '../src/frame/form-state.ts'
import type * as FramePages from '../src/frame/frame-page.tsx'
import { languageFiles } from './language-files.ts'

/** What the service puts its set-up in place of (JSON in which `<` is escaped). */
const SETUP_PLACEHOLDER = '__SVC_SETUP__'

const LEAN_SIGNALS = fileURLToPath(new URL('lean-signals.ts', import.meta.url))

interface Page {
  language: string
  title: string
  markup: string
}

interface Code {
  style: string
  script: string
}

/** Composes the frame's one self-contained document out of its script, style and prerendered markup. */
export function frameDocument(): Plugin {
  return {
    name: 'frame-document',
    enforce: 'post',
    apply: 'build',
    config: () => ({ resolve: { alias: { '@preact/signals': LEAN_SIGNALS } } }),
    async generateBundle(_options, bundle) {
      const script: string[] = []
      const style: string[] = []
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script.push(doubleQuoted(file.code, this.parse(file.code)))
        else if (name.endsWith('.css')) style.push(String(file.source))
        Reflect.deleteProperty(bundle, name)
      }
      const parts = {
        style: style
          .join('')
          .replace(/\/\*.*?\*\//g, '')
          .trim(),
        script: inline(script),
      }
      const emit = (fileName: string, source: string | Buffer) =>
        this.emitFile({ type: 'asset', fileName, source })
      emit('frame.json', JSON.stringify(hashesOf(parts)))
      for (const page of await prerender())
        emit(page.name, withOnePlaceholder(documentOf({ ...parts, ...page })))
      for (const { language, text } of languageFiles()) {
        emit(`languages/${language}.json`, text)
        emit(`languages/${language}.json.br`, brotliCompressSync(text))
      }
    },
  }
}

/**
 * The form in each language as it is before anything is typed or set, so that it is seen before the script runs. English
 * is `frame.html`, the others have their code in the name.
 */
async function prerender(): Promise<(Page & { name: string })[]> {
  const { FramePage } = (await runnerImport<typeof FramePages>('./src/frame/frame-page.tsx')).module
  const { createFormState } = (await runnerImport<typeof State>('./src/frame/form-state.ts')).module
  const nothing = () => undefined
  return languageFiles().map(({ language, words }) => ({
    name: language === 'en' ? 'frame.html' : `frame.${language}.html`,
    language,
    title: words.title,
    markup: renderToString(
      h(FramePage, {
        form: createFormState(() => 0, { code: language, words }),
        emit: nothing,
        submit: nothing,
      }),
    ),
  }))
}

/** One script that can stand in markup: nothing in it ends the element or opens a comment in it. */
function inline(chunks: string[]): string {
  if (chunks.length !== 1) throw new Error(`the frame must be one script, it is ${String(chunks.length)}`)
  return (chunks[0] ?? '').trim().replace(/<(?=\/script|script|!--)/gi, '\\x3c')
}

function documentOf({ language, title, markup, style, script }: Page & Code): string {
  return [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">`,
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<style>${style}</style></head><body><div id="frame">${markup}</div>`,
    `<script type="application/json" id="${SETUP_ELEMENT_ID}">${SETUP_PLACEHOLDER}</script>`,
    `<script>${script}</script></body></html>`,
  ].join('')
}

function directionOf(language: string): string {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The service fills the placeholder by its text alone, so nothing else in the document may read like it. */
function withOnePlaceholder(html: string): string {
  const found = html.split(SETUP_PLACEHOLDER).length - 1
  if (found !== 1)
    throw new Error(`${SETUP_PLACEHOLDER} must stand in the document once, not ${String(found)} times`)
  return html
}

/** What the service names in the document's Content-Security-Policy. */
function hashesOf({ style, script }: Code) {
  return { script_hashes: [sha256(script)], style_hashes: [sha256(style)] }
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
