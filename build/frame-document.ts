import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { SETUP_ELEMENT_ID } from '../src/contract/page/frame-setup.ts'
import type { LanguageFile } from './language-files.ts'

/** What the service puts its set-up in place of (JSON in which `<` is escaped). */
const SETUP_PLACEHOLDER = '__SVC_SETUP__'

interface Page {
  language: string
  title: string
  markup: string
}

/** One of the documents that are shown in a frame. */
export interface DocumentKind {
  /** `frame` is written as `frame.html` in English, and as `frame.fr.html` and so on. */
  name: string
  /** Folder of its language files, below the build's. */
  languages: string
  languageFiles: () => LanguageFile[]
  /** Makes the markup in a language as it is before anything is typed or set: it is seen before the script runs. */
  prerenderer: () => Promise<(file: LanguageFile) => string>
}

interface Code {
  style: string
  script: string
}

/** Composes one self-contained document for each language out of script, style and prerendered markup. */
export function frameDocument(kind: DocumentKind): Plugin {
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
      const parts = {
        style: style
          .join('')
          .replace(/\/\*.*?\*\//g, '')
          .trim(),
        script: inline(script),
      }
      const emit = (fileName: string, source: string | Buffer) =>
        this.emitFile({ type: 'asset', fileName, source })
      emit(`${kind.name}.json`, JSON.stringify(hashesOf(parts)))
      const prerender = await kind.prerenderer()
      for (const file of kind.languageFiles()) {
        const { language, text, words } = file
        const page = { language, title: words.title, markup: prerender(file) }
        const code = language === 'en' ? '' : `.${language}`
        emit(`${kind.name}${code}.html`, withOnePlaceholder(documentOf({ ...parts, ...page })))
        emit(`${kind.languages}/${language}.json`, text)
        emit(`${kind.languages}/${language}.json.br`, brotliCompressSync(text))
      }
    },
  }
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
