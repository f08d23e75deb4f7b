import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.mjs'

const folder = 'dist/sdk/types'

/** The SDK's types, as a merchant's compiler takes them: tsc leaves `.ts` in a declaration's imports. */
export async function buildSdkTypes() {
  await run('npx', ['tsc', '-p', 'tsconfig.sdk-types.json'])
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
  }
}
