import { brotliCompressSync } from 'node:zlib'
import { frameTemplateOf } from '../src/service/domains/sdk-releases/documents.ts'
import { readReleases } from '../src/service/domains/sdk-releases/read-releases.ts'

const KEY = `pk_sandbox_${'x'.repeat(32)}`
const setup = {
  ready: true,
  public_key: KEY,
  gateway_id: 'default',
  gateway_type: 'sandbox',
  tokens_url: 'https://api.example.com/v1/payment_sources/tokens',
  languages_url: 'https://cards.example.com/sdk/v1.0.0/languages/',
  today: '2026-11-22',
} as const

const checkoutSetup = {
  session_url: 'https://api.example.com/v1/checkouts/session',
  payments_url: 'https://api.example.com/v1/checkouts/session/payments',
  tokens_url: setup.tokens_url,
  authentications_url: 'https://api.example.com/v1/authentications/',
  languages_url: 'https://cards.example.com/sdk/v1.0.0/languages/checkout/',
  today: '2026-11-22',
}

/** Bytes that a browser loads, brotli at its highest level, of documents with their set-up. `.size-limit.mjs` has the limits. */
export function benchSizes(say: (line: string) => void): void {
  const [release] = readReleases(['dist/releases'])
  const widget = release?.files.get('widget.umd.min.js')
  if (!release || !widget) throw new Error('dist/releases has no widget')
  const parts: [name: string, content: Buffer][] = [
    ['widget.umd.min.js', widget.content],
    ['frame document', frameTemplateOf(release, 'frame').fill(setup)],
    ['checkout document', frameTemplateOf(release, 'checkout').fill(checkoutSetup)],
  ]
  for (const [name, content] of parts)
    say(`${name.padEnd(18)}${String(brotliCompressSync(content).length).padStart(7)} bytes (brotli)`)
}
