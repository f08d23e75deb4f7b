import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../run.mjs'

/** An import of one of our modules in a declaration, up to its file extension. */
export const ownImport = /((?:from|import) '\.{1,2}\/[^']+)\.(?:ts|js)'/g

/** TypeScript's native compiler, which `npm run types` uses too: it takes a tenth of the time. */
const nativeTsc = 'node_modules/typescript-native/bin/tsc'

/** Builds the type declarations of a project into its folder. tsc leaves `.ts` in their imports, which a merchant's compiler refuses. */
export async function buildDeclarations(project, folder) {
  await rm(folder, { recursive: true, force: true })
  await run(process.execPath, [nativeTsc, '-p', project])
  for (const name of await declarationsIn(folder)) {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(ownImport, "$1.js'"))
  }
}

async function declarationsIn(folder) {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.d.ts'))
}
