import { resolve } from 'node:path'
import { run } from './run.mjs'

/** Mutation testing, with packages of its own, which nothing else needs. */
process.chdir(resolve(import.meta.dirname, '..'))
await run('npm', ['ci', '--prefix', 'scripts/mutation', '--no-audit', '--no-fund'])
await run('scripts/mutation/node_modules/.bin/stryker', ['run', 'scripts/mutation/stryker.config.mjs'])
