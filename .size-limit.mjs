import { readdirSync } from 'node:fs'

/**
 * Bytes of brotli of what is built; a document is held to its limit in each of its languages. The set-up that the service
 * puts into it, above all the texts of its language, adds 0.7 to 1.5 kB (`npm run bench` measures it filled in).
 */
const LIMITS = { 'frame document': 26_000, 'checkout document': 28_500, 'widget.umd.min.js': 7500 }

const documents = (kind) =>
  readdirSync('dist/frame')
    .filter((name) => name.startsWith(kind) && name.endsWith('.html'))
    .map((name) => ({
      name,
      path: `dist/frame/${name}`,
      limit: `${LIMITS[`${kind} document`]} B`,
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
