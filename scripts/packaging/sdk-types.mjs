import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildDeclarations, ownImport } from './declarations.mjs'

const folder = 'dist/sdk/types'

/** Builds the SDK's type declarations. */
export const buildSdkTypes = () => buildDeclarations('tsconfig.sdk-types.json', folder)

/** All declarations that the entries import, by path. */
export async function sdkTypesOf(entries) {
  const texts = new Map()
  for (const entry of entries) await reach(`${entry}.d.ts`, texts)
  return texts
}

/**
 * Copies the declarations that the entries import into another folder: as `.d.ts` for ES modules, and as `.d.cts` for
 * CommonJS.
 */
export async function copySdkTypes(target, entries) {
  for (const [name, text] of await sdkTypesOf(entries)) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await writeFile(join(target, name), text)
    const common = text.replaceAll(ownImport, "$1.cjs'")
    await writeFile(join(target, name.replace(/\.d\.ts$/, '.d.cts')), common)
  }
}

async function reach(name, texts) {
  if (texts.has(name)) return
  const text = await readFile(join(folder, name), 'utf8')
  texts.set(name, text)
  for (const [, path] of text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)\.js'/g))
    await reach(`${join(dirname(name), path)}.d.ts`, texts)
}
