import { build } from 'vite'
import { brotliCompressSync, constants } from 'node:zlib'
import { readFileSync } from 'node:fs'
process.chdir('/tmp/next')
const mods = {}
const verbose = process.argv.includes('-v')
await build({ mode: 'frame', configFile: '/tmp/next/vite.config.ts', logLevel: 'error', build: { outDir: '/tmp/fr/dist', emptyOutDir: true }, plugins: [{ name: 'm', enforce:'pre', generateBundle(o, b) { for (const f of Object.values(b)) if (f.type==='chunk') for (const [k, m] of Object.entries(f.modules)) mods[k] = m.code ?? '' } }] })
const html = readFileSync('/tmp/fr/dist/frame.html')
const br = (t) => brotliCompressSync(t, { params: { [constants.BROTLI_PARAM_MODE]: 1, [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
console.log('frame.html', html.length, 'brotli', br(html))
if (verbose) {
  const t = html.toString()
  console.log('css', /<style>(.*?)<\/style>/s.exec(t)[1].length, 'markup', t.indexOf('</style>'), )
  for (const [k, c] of Object.entries(mods).sort((a, b) => b[1].length - a[1].length).slice(0, 45)) console.log(c.length, br(c), k.replace(/.*node_modules/, 'nm').replace('/tmp/next/', ''))
}
