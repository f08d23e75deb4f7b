import { readdirSync, readFileSync } from 'node:fs'

/**
 * Bytes of brotli of what is built; a document is held to its limit in each of its languages. The set-up that the service
 * puts into it, above all the texts of its language, adds 0.7 to 1.5 kB (`npm run bench` measures it filled in).
 */
const LIMITS = {
  'frame document': 42_900,
  'checkout document': 46_200,
  'authentication document': 26_500,
  'widget.umd.min.js': 12_890,
  'first load of the dashboard': 48_000,
}

const documents = (kind) =>
  readdirSync('dist/frame')
    .filter((name) => name.startsWith(kind) && name.endsWith('.html'))
    .map((name) => ({
      name,
      path: `dist/frame/${name}`,
      limit: `${LIMITS[`${kind} document`]} B`,
    }))

/** What the dashboard's document names: what is loaded before the code of a page. */
const firstAssets = () =>
  [...readFileSync('dist/dashboard/index.html', 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(
    ([, path]) => `dist/dashboard/${path}`,
  )

// size-limit takes its settings by default export only.
export default [
  {
    name: 'widget.umd.min.js',
    path: 'dist/sdk/widget.umd.min.js',
    limit: `${LIMITS['widget.umd.min.js']} B`,
  },
  {
    name: 'first load of the dashboard',
    path: ['dist/dashboard/index.html', ...firstAssets()],
    limit: `${LIMITS['first load of the dashboard']} B`,
  },
  ...documents('frame'),
  ...documents('checkout'),
  ...documents('authentication'),
]
