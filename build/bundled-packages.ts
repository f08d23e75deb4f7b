import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Writes down which packages a build has really taken code of, as folders (`node_modules/valibot`), in `.packages.{mode}.json` beside what
 * it made: `scripts/packaging/notices.mjs` makes notices and bills of materials of it.
 */
export function bundledPackages(mode: string): Plugin {
  const folders = new Set<string>()
  return {
    name: 'bundled-packages',
    apply: 'build',
    generateBundle: {
      // Before documents are made of the code.
      order: 'pre',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue
          for (const [id, { renderedLength }] of Object.entries(file.modules)) {
            const folder = renderedLength > 0 ? packageOf(id) : null
            if (folder !== null) folders.add(relative(process.cwd(), folder))
          }
        }
      },
    },
    writeBundle({ dir }) {
      const sorted = [...folders].toSorted()
      writeFileSync(join(dir ?? '', `.packages.${mode}.json`), `${JSON.stringify(sorted, null, 2)}\n`)
    },
  }
}

/** The folder of the package that a module is of; null for our own. What the bundler itself adds is its own code. */
function packageOf(id: string): string | null {
  if (id.startsWith('\0rolldown/')) return join(process.cwd(), 'node_modules/rolldown')
  if (id.startsWith('\0vite/')) return join(process.cwd(), 'node_modules/vite')
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id)?.[1] ?? null
}
