import type { ConnectionOptions } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { placeOf, readConnectionUrl } from './connection-url.ts'

const ca = new URL('../../testing/test-certificate.ts', import.meta.url).pathname

/** A way to connect. */
function inWords(tls: ConnectionOptions | false): string {
  if (tls === false) return 'plain'
  const parts = [
    'TLS',
    tls.rejectUnauthorized === false && 'unchecked',
    tls.ca !== undefined && 'by ca',
    tls.checkServerIdentity !== undefined && 'any name',
    tls.servername !== undefined && `as ${tls.servername}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

describe('a connection string', () => {
  it.each([
    ['postgres://h/d', [['h', 5432]]],
    [
      'postgres://h:1,h2:2/d',
      [
        ['h', 1],
        ['h2', 2],
      ],
    ],
    [
      'postgres://h,h2:2/d',
      [
        ['h', 5432],
        ['h2', 2],
      ],
    ],
    [
      'postgres://[::1]:7,[fe80::1]/d',
      [
        ['::1', 7],
        ['fe80::1', 5432],
      ],
    ],
    [
      'postgres:///d?host=h,h2&port=5,6',
      [
        ['h', 5],
        ['h2', 6],
      ],
    ],
    [
      'postgres:///d?host=h,h2&port=5',
      [
        ['h', 5],
        ['h2', 5],
      ],
    ],
    ['postgres:///d?host=/run/postgresql', [['/run/postgresql', 5432]]],
    ['postgres://%2Frun%2Fpostgresql:7/d', [['/run/postgresql', 7]]],
    ['postgres://svc@localhost:5432/d?host=%2Ftmp%2Fx', [['/tmp/x', 5432]]],
    ['postgres:///d', [['localhost', 5432]]],
    ['postgres://h/d?hostaddr=10.0.0.1', [['10.0.0.1', 5432]]],
  ])('%s leads to %j', (url, places) => {
    expect(readConnectionUrl(url).places.map(({ host, port }) => [host, port])).toEqual(places)
  })

  it.each([
    ['postgres://u:p%40%2F%3F%25@h/d', 'p@/?%'],
    ['postgres://u:p@ss@h/d', 'p@ss'],
    ['postgres://u:p+s%20x#y@h/d', 'p+s x#y'],
    ['postgres://u@h/d?password=a%26b+c', 'a&b+c'],
  ])('%s has its password as it was meant', (url, password) => {
    expect(readConnectionUrl(url).login).toMatchObject({ user: 'u', password, database: 'd' })
  })

  it.each([
    ['postgres://db.example/d', 'TLS, unchecked; plain'],
    ['postgres://localhost/d', 'plain'],
    ['postgres://127.0.0.1/d', 'plain'],
    ['postgres:///d?host=/tmp&sslmode=require', 'plain'],
    ['postgres://h/d?sslmode=disable', 'plain'],
    ['postgres://h/d?sslmode=allow', 'plain; TLS, unchecked'],
    ['postgres://localhost/d?sslmode=prefer', 'TLS, unchecked; plain'],
    ['postgres://h/d?sslmode=require', 'TLS, unchecked'],
    ['postgres://h/d?sslmode=no-verify', 'TLS, unchecked'],
    ['postgres://h/d?ssl=no-verify', 'TLS, unchecked'],
    ['postgres://h/d?sslmode=verify-full', 'TLS'],
    ['postgres://h/d?sslrootcert=system', 'TLS'],
    ['postgres://h/d?ssl=true', 'TLS'],
    ['postgres://h/d?ssl=0', 'plain'],
    ['postgres://h/d?channel_binding=require', 'TLS, unchecked'],
    ['postgres://h/d?sslnegotiation=direct', 'TLS, unchecked'],
    ['postgres://h/d?hostaddr=10.0.0.1&sslmode=verify-full', 'TLS, as h'],
    [`postgres://h/d?sslmode=require&sslrootcert=${ca}`, 'TLS, by ca, any name'],
    [`postgres://h/d?sslmode=verify-ca&sslrootcert=${ca}`, 'TLS, by ca, any name'],
    [`postgres://h/d?sslmode=verify-full&sslrootcert=${ca}`, 'TLS, by ca'],
    [`postgres://h/d?sslrootcert=${ca}`, 'TLS, by ca'],
  ])('%s is connected to by: %s', (url, ways) => {
    expect(readConnectionUrl(url).places[0].tls.map(inWords).join('; ')).toBe(ways)
  })

  it.each([
    ['postgres://h/d', false],
    ['postgres://h,h2/d', true],
    ['postgres://h,h2/d?target_session_attrs=any', false],
    ['postgres://h/d?target_session_attrs=read-write', true],
    ['postgres://h/d?target_session_attrs=primary', true],
  ])('%s passes over a standby: %s', (url, needsPrimary) => {
    expect(readConnectionUrl(url)).toMatchObject({ needsPrimary })
  })

  it.each([
    ['postgres://h/d?connect_timeout=7', 7000],
    ['postgres://h/d?connect_timeout=1', 2000],
    ['postgres://h/d?connect_timeout=0', undefined],
    ['postgres://h/d', undefined],
  ])('%s waits for %s ms', (url, connectTimeoutMs) => {
    expect(readConnectionUrl(url).connectTimeoutMs).toBe(connectTimeoutMs)
  })

  it.each([
    ['mysql://h/d', 'must be a postgres:// URL'],
    ['postgres://u:se/cret@h/d', 'must be given by its code'],
    ['postgres://u:se?cret@h/d', 'must be given by its code'],
    ['postgres://u:se%cret@h/d', 'must be given by its code'],
    ['postgres://u:cret@h:abc/d', 'must name a port from 1 to 65535'],
    ['postgres://h/d?port=99999', 'must name a port from 1 to 65535'],
    ['postgres://h,h2,h3/d?port=1,2', 'one for each of its 3 hosts'],
    ['postgres://h/d?sslmod=require', 'the parameter "sslmod", which the service does not know'],
    ['postgres://h/d?sslmode=requires', 'must have sslmode=disable or allow'],
    ['postgres://h/d?sslmode=verify-ca', 'must have sslrootcert='],
    ['postgres://h/d?sslmode=require&sslrootcert=system', 'must have sslmode=verify-full'],
    ['postgres://h/d?sslmode=prefer&sslnegotiation=direct', 'must have sslmode=require or stronger'],
    ['postgres://h/d?sslmode=require&sslrootcert=/nowhere/ca.pem', 'cannot be read by sslrootcert: ENOENT'],
    [
      'postgres://h/d?target_session_attrs=standby',
      'must have target_session_attrs=any or read-write or primary',
    ],
    ['postgres://h/d?client_encoding=LATIN1', 'must have client_encoding=UTF8'],
    ['postgres://h/d?connect_timeout=soon', 'must have connect_timeout as seconds'],
  ])('%s is refused in words without its password', (url, words) => {
    const read = () => readConnectionUrl(url)
    expect(read).toThrow(words)
    expect(read).not.toThrow(/cret/)
  })

  it('is told of without who signs in', () => {
    expect(placeOf('postgres://u:secret@h:1,h2/d?password=secret')).toBe('h:1,h2:5432/d')
  })
})
