import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { run, tool } from '../run.mjs'
import { buildDeclarations } from './declarations.mjs'
import { BILL, NOTICES } from './notices.mjs'

const folder = 'dist/npm-server'

/** Creates `dist/npm-server`, ready to publish: the client for merchants' servers as an ES module, and its types. */
export async function buildServerPackage() {
  await run(tool('vite'), ['build', '--mode', 'server-client', '--logLevel', 'warn'])
  await buildDeclarations('tsconfig.server-client-types.json', `${folder}/types`)
  await copyFile('LICENSE', `${folder}/LICENSE`)
  await copyFile('docs/server-readme.md', `${folder}/README.md`)
  await writeFile(`${folder}/package.json`, `${JSON.stringify(await manifest(), null, 2)}\n`)
}

async function manifest() {
  const { version, license } = JSON.parse(await readFile('package.json', 'utf8'))
  return {
    name: '@svc/server',
    version,
    description:
      'The card service for a server in Node: typed calls, retries that charge once, verified webhooks.',
    license,
    type: 'module',
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: {
      '.': { types: './types/index.d.ts', default: './server.js' },
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    files: ['server.js', 'types', NOTICES, BILL],
  }
}
