import { readdirSync } from 'node:fs'

/** What the service puts into a document when it serves it, above all the texts of its language: bytes of brotli. */
const SETUP = 750

/** Bytes of brotli that a browser may have to load; a document is held to its limit in each of its languages. */
const LIMITS = { 'frame document': 26_000, 'checkout document': 28_500, 'widget.umd.min.js': 7500 }

const documents = (kind) =>
  readdirSync('dist/frame')
    .filter((name) => name.startsWith(kind) && name.endsWith('.html'))
    .map((name) => ({
      name,
      path: `dist/frame/${name}`,
      limit: `${LIMITS[`${kind} document`] - SETUP} B`,
    }))

// size-limit takes its settings by default export only.
export default [
  {
    name: 'widget.umd.min.js',
    path: 'dist/sdk/widget.umd.min.js',
    limit: `${LIMITS['widget.umd.min.js']} B`,
  },
  ...documents('frame'),
  ...documents('checkout'),
]
