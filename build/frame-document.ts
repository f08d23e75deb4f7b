import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { SETUP_ELEMENT_ID } from '../src/contract/page/frame-setup.ts'
import type { LanguageFile } from './language-files.ts'

/** The service replaces this by the document's set-up, as JSON with `<` escaped. */
const SETUP_PLACEHOLDER = '__SVC_SETUP__'

/**
 * Runs before the first paint, so that styles can show the document as its fragment says. The browser matches `:target` only
 * later: until then a person could see, and type into, a form that is about to be hidden.
 */
const READ_FRAGMENT = 'document.documentElement.dataset.fragment=location.hash.slice(1)'

/**
 * The document has its person's language by itself, and what it says of money must not change in a machine's translation: the attribute is
 * for browsers, the class and the meta element are for extensions and older browsers.
 */
const NOT_TRANSLATED = 'translate="no" class="notranslate"'

interface LocalisedPage {
  language: string
  title: string
  markup: string
}

/** A document that is shown in a frame. */
export interface DocumentKind {
  /** Name of its files: `frame` makes `frame.html` in English, `frame.fr.html` in French, and so on. */
  name: string
  /** Folder of its language files, below the build's. */
  languages: string
  languageFiles: () => LanguageFile[]
  /** Renders the initial markup in a language, which is visible before the script runs. */
  prerenderer: () => Promise<(file: LanguageFile) => string>
}

interface Code {
  style: string
  script: string
}

/**
 * Builds one self-contained document for each language from script, style and prerendered markup. `notices`: where the licences of the
 * packages are served whose code it contains.
 */
export function frameDocument(kind: DocumentKind, notices: string): Plugin {
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
        emit(`${kind.name}${code}.html`, withOnePlaceholder(documentOf({ ...parts, ...page, notices })))
        emit(`${kind.languages}/${language}.json`, text)
        emit(`${kind.languages}/${language}.json.br`, brotliCompressSync(text))
      }
    },
  }
}

/** Escapes the script for inline use: it must not end its element or open a comment. */
function inline(chunks: string[]): string {
  if (chunks.length !== 1) throw new Error(`the frame must be one script, it is ${String(chunks.length)}`)
  return (chunks[0] ?? '').trim().replace(/<(?=\/script|script|!--)/gi, '\\x3c')
}

function documentOf(parts: LocalisedPage & Code & { notices: string }): string {
  const { language, title, markup, style, script, notices } = parts
  return [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}" ${NOT_TRANSLATED}>`,
    '<head><meta charset="utf-8"><meta name="google" content="notranslate">',
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<script>${READ_FRAGMENT}</script><style>${style}</style></head><body>`,
    `<div id="frame">${markup}</div>`,
    `<script type="application/json" id="${SETUP_ELEMENT_ID}">${SETUP_PLACEHOLDER}</script>`,
    `<script>${script}</script></body></html><!--Licences: ${notices}-->`,
  ].join('')
}

function directionOf(language: string): string {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The service finds the placeholder by its text, so the document must contain it once only. */
function withOnePlaceholder(html: string): string {
  const found = html.split(SETUP_PLACEHOLDER).length - 1
  if (found !== 1)
    throw new Error(`${SETUP_PLACEHOLDER} must stand in the document once, not ${String(found)} times`)
  return html
}

/** Hashes for the document's Content-Security-Policy. */
function hashesOf({ style, script }: Code) {
  return { script_hashes: [sha256(READ_FRAGMENT), sha256(script)], style_hashes: [sha256(style)] }
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
