import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildNpmPackage } from './npm-package.mjs'
import { run } from './run.mjs'
import { buildSdkTypes } from './sdk-types.mjs'

/** Builds every room into dist/, or only those that are named: `npm run build -- sdk frame`. */
const rooms = ['sdk', 'frame', 'service', 'demo']

/** Lays a brotli and a gzip copy beside each file that browsers load, for servers that send them as they are. */
async function compressFiles(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|mjs)$/.test(name))
  for (const name of names) {
    const content = await readFile(join(folder, name))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
    await writeFile(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}

/** What a page puts into `integrity="…"` for each file that it may load. */
async function writeIntegrity(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|mjs)$/.test(name))
  const entries = names.map(async (name) => {
    const digest = createHash('sha384')
      .update(await readFile(join(folder, name)))
      .digest('base64')
    return [name, `sha384-${digest}`]
  })
  const files = Object.fromEntries(await Promise.all(entries))
  await writeFile(join(folder, 'integrity.json'), `${JSON.stringify({ files }, null, 2)}\n`)
}

const asked = process.argv.slice(2)
if (asked.length === 0) await rm('dist', { recursive: true, force: true })
for (const room of asked.length === 0 ? rooms : asked) {
  await run('npx', ['vite', 'build', '--mode', room, '--logLevel', 'warn'])
  if (room === 'sdk') {
    await compressFiles('dist/sdk')
    await writeIntegrity('dist/sdk')
    await buildSdkTypes()
    await buildNpmPackage()
  }
}
if (asked.length === 0) await writeFile('dist/.built', '')
