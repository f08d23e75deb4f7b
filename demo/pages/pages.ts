import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The folder of the shop's pages, searched from this file upwards, as the shop may run from source or from a build. */
export function publicFolder(from: string = import.meta.dirname): string {
  const folder = join(from, 'demo', 'public')
  if (existsSync(folder)) return folder
  if (dirname(from) === from) throw new Error('The folder demo/public is not there.')
  return publicFolder(dirname(from))
}

/** The folder of the built SDK, which has the shop's copy of the loader. */
export function builtSdkFolder(): string {
  return join(publicFolder(), '..', '..', 'dist', 'sdk')
}

/** Returns the function that renders a page inside a layout. `{{name}}` is replaced by an escaped value. */
export function createPages(folder: string, layoutName = 'layout') {
  const read = (name: string) => readFile(join(folder, 'pages', `${name}.html`), 'utf8')
  return async (name: string, title: string, values: Record<string, string> = {}): Promise<string> => {
    const [layout, page] = await Promise.all([read(layoutName), read(name)])
    return fill(layout, { title }).replace('<!-- page -->', () => fill(page, values))
  }
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escape(values[name] ?? ''))
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
