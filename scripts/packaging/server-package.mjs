import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { BILL, NOTICES } from './notices.mjs'

const folder = 'dist/npm-server'

/** Makes `dist/npm-server`, where the client for merchants' servers and its types are, ready to publish. */
export async function completeServerPackage() {
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
      '.': './server.js',
      './package.json': './package.json',
    },
    types: './server.d.ts',
    files: ['server.js', 'server.d.ts', NOTICES, BILL],
  }
}
