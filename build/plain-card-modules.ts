import type { Plugin } from 'vite'

const CARD_PACKAGES = /\/node_modules\/(?:card-validator|credit-card-type)\/dist\//

/**
 * Reads what the frame takes of the two card packages, which are compiled to CommonJS, as ES modules: the wrappers and the
 * interplay of both kinds cost 0.5 kB of its document. Fails the build on a form it doesn't know.
 */
export function plainCardModules(): Plugin {
  return {
    name: 'plain-card-modules',
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) => (CARD_PACKAGES.test(id) ? { code: asModule(code, id), map: null } : null),
  }
}

function asModule(code: string, id: string): string {
  const plain = code
    .replace('"use strict";', '')
    .replace(/Object\.defineProperty\(exports, "__esModule".*\n/, '')
    .replace(/^(?:var|const) (\w+) = require\((".+")\);$/gm, 'import $1 from $2;')
    .replace(/^exports\.(\w+) = \1;$/gm, 'export { $1 };')
    .replace(/^module\.exports = (\w+);$/gm, 'export default $1;')
  if (/\brequire\(|\bexports\b/.test(plain)) throw new Error(`${id} is CommonJS of a form that is not known`)
  return plain
}
