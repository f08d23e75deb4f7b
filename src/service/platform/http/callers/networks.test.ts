import { describe, expect, it } from 'vitest'
import { isNetwork, withinNetworks } from './networks.ts'

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
