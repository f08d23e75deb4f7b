import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

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
        for (const { modules } of shipped(bundle)) {
          for (const [id, { renderedLength }] of Object.entries(modules)) {
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

/** The chunks of code; not those of the declarations that a build makes beside it, nor what these alone import. */
function shipped(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const code = chunks.filter(({ fileName }) => !/\.d\.[cm]?ts$/.test(fileName))
  const imported = new Set(code.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]))
  return code.filter(({ isEntry, fileName }) => isEntry || imported.has(fileName))
}

/** The folder of the package that a module is of; null for our own. What the bundler itself adds is its own code. */
function packageOf(id: string): string | null {
  if (id.startsWith('\0rolldown/')) return join(process.cwd(), 'node_modules/rolldown')
  if (id.startsWith('\0vite/')) return join(process.cwd(), 'node_modules/vite')
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id)?.[1] ?? null
}
