import { rm } from 'node:fs/promises'
import { run } from './run.mjs'
import { buildSdkTypes } from './sdk-types.mjs'

/** Builds every room into dist/, or only the rooms that are named: `npm run build -- sdk frame`. */
const rooms = { sdk: ['sdk'], frame: ['frame'], service: ['service'], demo: ['demo'] }
const asked = process.argv.slice(2)

if (asked.length === 0) await rm('dist', { recursive: true, force: true })
for (const room of asked.length === 0 ? Object.keys(rooms) : asked) {
  await run('npx', ['vite', 'build', '--mode', room, '--logLevel', 'warn'])
}
if (asked.length === 0 || asked.includes('sdk')) await buildSdkTypes()
