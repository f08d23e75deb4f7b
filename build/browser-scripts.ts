import { build } from 'vite'
import type { Plugin } from 'vite'

/** Turns `import { script } from './main.ts?script'` into the text of that module, bundled and minified for a browser. */
export function browserScripts(): Plugin {
  const scripts = new Map<string, Promise<string>>()
  return {
    name: 'browser-scripts',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('?script')) return null
      const entry = id.slice(0, -'?script'.length)
      const script = scripts.get(entry) ?? bundled(entry)
      scripts.set(entry, script)
      return { code: `export const script = ${JSON.stringify(await script)}`, map: null }
    },
  }
}

async function bundled(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, name: 'script', formats: ['iife'], fileName: 'script' },
      rolldownOptions: { output: { minify: true } },
    },
  })
  const [chunk] = [made].flat().flatMap((one) => ('output' in one ? one.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not bundled`)
  return chunk.code
}
