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
  languages_url: 'https://cards.example.com/sdk/v1.0.0/languages/checkout/',
  today: '2026-11-22',
}

/** Bytes that a browser loads, brotli at its highest level, next to what they may be. */
export function benchSizes(say: (line: string) => void): void {
  const [release] = readReleases(['dist/releases'])
  const widget = release?.files.get('widget.umd.min.js')
  if (!release || !widget) throw new Error('dist/releases has no widget')
  const parts: [name: string, content: Buffer, budget: number][] = [
    ['widget.umd.min.js', widget.content, 7500],
    ['frame document', frameTemplateOf(release, 'frame').fill(setup), 26_000],
    ['checkout document', frameTemplateOf(release, 'checkout').fill(checkoutSetup), 28_500],
  ]
  say('bytes (brotli)        is   budget')
  for (const [name, content, budget] of parts) {
    const { length } = brotliCompressSync(content)
    say(`${name.padEnd(18)}${[length, budget].map((bytes) => String(bytes).padStart(6)).join('   ')}`)
  }
}
