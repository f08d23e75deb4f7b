import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { readFrameTemplate } from '../src/service/sdk-releases/frame-template.ts'

const KEY = `pk_sandbox_${'x'.repeat(32)}`
const setup = {
  ready: true,
  public_key: KEY,
  gateway_id: 'default',
  gateway_type: 'sandbox',
  tokens_url: 'https://api.example.com/v1/payment_sources/tokens',
  languages_url: 'https://cards.example.com/sdk/v1.0.0/languages/',
} as const

/** Bytes that a browser loads, brotli at its highest level, next to what they may be. */
export function benchSizes(say: (line: string) => void): void {
  const parts: [name: string, content: Buffer, budget: number, aim: number][] = [
    ['widget.umd.min.js', readFileSync('dist/sdk/widget.umd.min.js'), 6000, 4000],
    ['frame document', Buffer.from(readFrameTemplate('dist/frame').fill(setup)), 20_000, 14_600],
  ]
  say('bytes (brotli)        is   budget      aim')
  for (const [name, content, budget, aim] of parts) {
    const { length } = brotliCompressSync(content)
    say(`${name.padEnd(18)}${[length, budget, aim].map((bytes) => String(bytes).padStart(6)).join('   ')}`)
  }
}
