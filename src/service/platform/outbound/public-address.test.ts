import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  ['loopback', '127.0.0.1'],
  ['loopback', '::1'],
  ['private', '10.1.2.3'],
  ['link-local, of cloud metadata', '169.254.169.254'],
  ['unique local', 'fd00::1'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped, in hex', '::ffff:7f00:1'],
  ['compatible', '::127.0.0.1'],
  ['compatible, in hex', '::7f00:1'],
  ['compatible, of a public address', '::5db8:d70e'],
  ['translated', '64:ff9b::127.0.0.1'],
  ['translated within a network', '64:ff9b:1::7f00:1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
  ['documentation', '2001:db8::1'],
  ['site-local', 'fec0::1'],
  ['not given out', '4000::1'],
  ['multicast', 'ff02::1'],
  ['no address', 'localhost'],
])('%s: %s is not', (_name, address) => expect(isPublicAddress(address)).toBe(false))
