import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const server = (proxy: { server: string } | null) => proxy?.server ?? null
function serversOf(settings: Record<string, string>) {
  const { webhooks, gateways, keyService, issuer } = readConfig(settings).proxies
  return [server(webhooks), server(gateways), server(keyService), server(issuer)]
}

it('without a proxy in the settings requests go straight to their servers', () => {
  for (const settings of [{}, { SVC_OUTBOUND_PROXY: '' }, { SVC_OUTBOUND_PROXY: 'none' }])
    expect(serversOf(settings)).toEqual([null, null, null, null])
})

it('one proxy serves all, and each kind of request may have another one or none', () => {
  const common = { SVC_OUTBOUND_PROXY: 'http://out.example:3128' }
  const all = Array.from({ length: 4 }, () => 'out.example:3128')
  expect(serversOf(common)).toEqual(all)
  expect(
    serversOf({
      ...common,
      SVC_WEBHOOKS_PROXY: 'https://hooks.example',
      SVC_GATEWAYS_PROXY: 'none',
      SVC_KEY_SERVICE_PROXY: '',
    }),
  ).toEqual(['hooks.example', null, null, 'out.example:3128'])
  expect(serversOf({ SVC_GATEWAYS_PROXY: 'http://[::1]:8888' })).toEqual([null, '[::1]:8888', null, null])
})

it('user and password are percent-encoded, and may stand in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proxy-'))
  const file = join(folder, 'proxy')
  writeFileSync(file, 'https://our%3A:p%40ss@out.example/\n')
  expect(() => readConfig({ SVC_OUTBOUND_PROXY_FILE: file })).toThrow(/^SVC_OUTBOUND_PROXY \(from/)
  writeFileSync(file, 'https://our:p%40s%3As@out.example/\n')
  const { proxies, secretFiles } = readConfig({ SVC_OUTBOUND_PROXY_FILE: file })
  expect(proxies.webhooks).toEqual({
    target: { host: 'out.example', port: 443, isEncrypted: true },
    server: 'out.example',
    authorization: `Basic ${Buffer.from('our:p@s:s').toString('base64')}`,
  })
  expect(secretFiles).toEqual({ SVC_OUTBOUND_PROXY_FILE: file })
  rmSync(folder, { recursive: true })
})

it.each([
  'out.example:3128',
  'socks5://out.example',
  'http://',
  'http://out.example:99999',
  'http://out.example/path',
  'http://out.example/?x=1',
  'http://secret:50%@out.example',
  'http://a%3Ab:secret@out.example',
  'http://secret word@out.example',
  'http://secret\n@out.example',
  'direct',
])('%s is refused in one line, without its password', (url) => {
  const refused = () => readConfig({ SVC_WEBHOOKS_PROXY: url })
  expect(refused).toThrow(/^SVC_WEBHOOKS_PROXY must be none, or the URL of an HTTP proxy such as \S+$/)
  expect(refused).not.toThrow(/secret/)
})
