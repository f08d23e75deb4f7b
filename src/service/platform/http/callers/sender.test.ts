import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { withinNetworks, senderOf, senderAt, isNetwork } from './sender.ts'

describe('whom limits count an address for', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['::FFFF:CB00:7109', '203.0.113.9', '203.0.113.9'],
    ['2001:db8:0:1::5', '2001:db8:0:1::5', '2001:db8:0:1'],
    ['2001:0db8:0000:0001:0000:0000:0000:0005', '2001:db8:0:1::5', '2001:db8:0:1'],
    ['2001:DB8::1:0:0:0:9', '2001:db8:0:1::9', '2001:db8:0:1'],
    ['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0'],
    ['::1', '::1', '0:0:0:0'],
    ['64:ff9b::203.0.113.9', '64:ff9b::cb00:7109', '203.0.113.9'],
    ['2002:cb00:7109:1234::1', '2002:cb00:7109:1234::1', '203.0.113.9'],
    ['2001:0:4136:e378:8000:63bf:34ff:8ef6', '2001:0:4136:e378:8000:63bf:34ff:8ef6', '203.0.113.9'],
    ['unknown', '::', '0:0:0:0'],
    [undefined, '::', '0:0:0:0'],
  ])('%s is %s and counts for %s', (remoteAddress, address, caller) => {
    expect(senderAt(remoteAddress)).toMatchObject({ address, caller })
  })

  it('every /64 of one /48 has one site, and an IPv4 address is its own', () => {
    const sites = ['2001:db8:7:1::1', '2001:db8:7:ffff::2', '2001:db8:8::1'].map((one) => senderAt(one).site)
    expect(sites).toEqual(['2001:db8:7::/48', '2001:db8:7::/48', '2001:db8:8::/48'])
    expect(senderAt('203.0.113.9').site).toBe('203.0.113.9')
  })
})

describe('who sent a request that a trusted proxy passed on', () => {
  const PROXY = '10.0.0.1'
  const isTrusted = withinNetworks(['10.0.0.0/8', 'fd00::/8'])
  /** A request from a socket at an address, with what `X-Forwarded-For` held each time that it was sent. */
  const addressFrom = (remoteAddress: string, forwarded: string | undefined): string => {
    const request = new IncomingMessage(new Socket())
    Object.defineProperty(request.socket, 'remoteAddress', { value: remoteAddress })
    if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
    return senderOf(request, isTrusted).address
  }

  it.each([
    ['203.0.113.8', '203.0.113.8'],
    ['203.0.113.8:51234', '203.0.113.8'],
    ['"203.0.113.8:51234"', '203.0.113.8'],
    ['198.51.100.1, 203.0.113.8', '203.0.113.8'],
    ['198.51.100.1:1, 203.0.113.8:2 , 10.0.0.7:3', '203.0.113.8'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:DB8:0::1]:443"', '2001:db8::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.8', '203.0.113.8'],
    ['203.0.113.8, [fd00::2]:8080', '203.0.113.8'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('X-Forwarded-For: %s → %s', (forwarded, address) => {
    expect(addressFrom(PROXY, forwarded)).toBe(address)
  })

  it.each([
    undefined,
    '',
    ',',
    '203.0.113.8,',
    'unknown',
    '_hidden',
    '198.51.100.1, unknown',
    '203.0.113.8:port',
    '203.0.113.8:_port',
    '203.0.113.8:123456',
    '203.0.113.08',
    '0xcb.0.113.8',
    '0313.0.0161.010',
    '3405803784',
    '203.0.113',
    '203.0.113.256',
    '[203.0.113.8',
    '203.0.113.8]',
    '[203.0.113.8]:1',
    '2001:db8::1]:443',
    '[2001:db8::1]443',
    '2001:db8:::1',
    '12345::1',
    'for=203.0.113.8',
    "'203.0.113.8'",
    '203.0.113.8 198.51.100.1',
    'a'.repeat(16_000),
    '１.２.３.４',
  ])('X-Forwarded-For: %j names nobody: it counts for the proxy', (forwarded) => {
    expect(addressFrom(PROXY, forwarded)).toBe(PROXY)
  })

  it('what stands behind an address that names nobody is not looked at', () => {
    expect(addressFrom(PROXY, '203.0.113.8, unknown, 10.0.0.2')).toBe('10.0.0.2')
  })

  it('a very long list of proxies has an end', () => {
    const list = Array.from({ length: 2000 }, (_, at) => `10.1.${at >> 8}.${at & 255}`)
    expect(addressFrom(PROXY, list.join(', '))).toBe('10.1.7.176')
  })

  it('a sender that is no trusted proxy speaks for itself alone', () => {
    expect(addressFrom('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5')
  })
})

describe('an address or a network', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', 'fe80::/10'])('is %s', (text) => {
    expect(isNetwork(text)).toBe(true)
  })

  it.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '10/8', '010.0.0.1', '0x7f.1', '::/129'])(
    'is not %j',
    (text) => {
      expect(isNetwork(text)).toBe(false)
    },
  )
})

describe('an address within networks', () => {
  const isWithin = withinNetworks(['10.0.0.0/8', '192.0.2.7', '2001:db8:0:1::/64', '::1'])

  it.each([
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '192.0.2.7',
    '::FFFF:C000:0207',
    '2001:db8:0:1::5',
    '2001:0DB8:0000:0001:0000:0000:0000:0005',
    '2001:db8::1:0:0:0:9',
    '0:0:0:0:0:0:0:1',
  ])('%s', (address) => {
    expect(isWithin(address)).toBe(true)
  })

  it.each(['11.1.2.3', '192.0.2.8', '2001:db8:0:2::5', '::2', '', 'unknown'])('not %j', (address) => {
    expect(isWithin(address)).toBe(false)
  })
})
