import { createHash } from 'node:crypto'

interface Known {
  /** A valid key, parts of which the attacker has seen. */
  right: string
  /** The header that it belongs in. */
  header: string
  /** A valid key of the other kind. */
  otherKind: string
  /** A key that was valid until it was revoked. */
  revoked: string
}

/** Headers and query of a request that must not be let in; `name` says in words what is wrong with it. */
export interface WrongCredentials {
  name: string
  headers: Readonly<Record<string, string | readonly string[]>>
  query?: string
}

const hash = (key: string) => createHash('sha256').update(key).digest()

/** Everything that resembles a valid key without being one. */
export function wrongCredentials({ right, header, otherKind, revoked }: Known): WrongCredentials[] {
  const key = (name: string, value: string) => ({ name, headers: { [header]: value } })
  const [kind = '', environment = '', random = ''] = right.split('_')
  return [
    { name: 'none', headers: {} },
    key('empty', ''),
    key('blank', ' '),
    key('the other kind', otherKind),
    {
      name: 'in the header of the other kind',
      headers: { [header === 'x-user-secret-key' ? 'x-user-public-key' : 'x-user-secret-key']: right },
    },
    key('revoked', revoked),
    key('cut by one', right.slice(0, -1)),
    key('one more', `${right}A`),
    key('first letters alone', `${kind}_${environment}_`),
    key('another environment', `${kind}_production_${random}`),
    key('upper case', right.toUpperCase()),
    key('reversed', right.split('').reverse().join('')),
    key('twice in one', `${right}${right}`),
    key('in a list', `${right}, ${right}`),
    key('a space inside', right.replace('_', ' _')),
    key('a tab inside', right.replace('_', '\t_')),
    key('quoted', `"${right}"`),
    key('percent-encoded', right.replace('_', '%5F')),
    key('a look-alike letter', right.replace('s', Buffer.from('ѕ').toString('latin1'))),
    key('a no-break space behind', `${right}\u00a0`),
    key('base64', Buffer.from(right).toString('base64')),
    key('its hash in hex, as it is kept', hash(right).toString('hex')),
    key('its hash in base64', hash(right).toString('base64')),
    key('the part that the index holds', hash(right).subarray(0, 8).toString('hex')),
    key('10 kB', right + 'x'.repeat(10_000)),
    key('SQL', "' OR 1=1 --"),
    key('JSON', `{"$ne":"${right.slice(0, 3)}"}`),
    key('null', 'null'),
    key('__proto__', '__proto__'),
    { name: 'two headers', headers: { [header]: [right, right] } },
    { name: 'a right and a wrong header', headers: { [header]: [right, `${right}A`] } },
    { name: 'with underscores in the header', headers: { [header.replaceAll('-', '_')]: right } },
    { name: 'as bearer token', headers: { authorization: `Bearer ${right}` } },
    {
      name: 'as basic credentials',
      headers: { authorization: `Basic ${Buffer.from(`${right}:`).toString('base64')}` },
    },
    { name: 'as a cookie', headers: { cookie: `${header}=${right}` } },
    { name: 'in the query', headers: {}, query: `${header}=${right}` },
    { name: 'as secret_key in the query', headers: {}, query: `secret_key=${right}` },
  ]
}
