import { expect, it } from 'vitest'
import { addressOf, rateLimitKeyOf } from './address-of.ts'

it.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['::FFFF:CB00:7109', '203.0.113.9', '203.0.113.9'],
  ['2001:db8:0:1::5', '2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:0db8:0000:0001:0000:0000:0000:0005', '2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:DB8::1:0:0:0:9', '2001:db8:0:1::9', '2001:db8:0:1'],
  ['::1', '::1', '0:0:0:0'],
  ['unknown', 'unknown', 'unknown'],
])('%s is %s and counts for %s', (ip, address, caller) => {
  expect([addressOf({ ip }), rateLimitKeyOf({ ip })]).toEqual([address, caller])
})
