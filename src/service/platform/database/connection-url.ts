import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type pg from 'pg'

/** A server, and how it is reached. */
export interface ServerPlace {
  /** A name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  /** The ways to try, the first one first; false is without TLS. */
  tls: readonly (ConnectionOptions | false)[]
}

/** What a connection string says. */
export interface ConnectionPlan {
  places: readonly [ServerPlace, ...ServerPlace[]]
  /** What is the same at each place. */
  login: pg.ClientConfig & {
    sslnegotiation: 'postgres' | 'direct'
    enableChannelBinding: boolean
  }
  needsChannelBinding: boolean
  /** Undefined where it says none. */
  connectTimeoutMs: number | undefined
  /** A server that can't write is passed over. */
  needsPrimary: boolean
}

/** What is wrong with a connection string, in words that follow the name of its setting. They hold nothing of its password. */
export class ConnectionUrlFault extends Error {
  override readonly name = 'ConnectionUrlFault'
}

type Parameters = ReadonlyMap<string, string>

const KNOWN: ReadonlySet<string> = new Set([
  ...['host', 'hostaddr', 'port', 'dbname', 'user', 'password', 'connect_timeout', 'target_session_attrs'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslnegotiation'],
  ...['channel_binding', 'application_name', 'options', 'client_encoding', 'gssencmode'],
  // What these say, the service does not depend on.
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
  ...['fallback_application_name', 'load_balance_hosts', 'sslcompression', 'sslsni', 'uselibpqcompat'],
])

/**
 * Reads `postgres://user:password@host:port,host:port/database?sslmode=…` as libpq does
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS), with the files of certificates that it names.
 * Where it says nothing of TLS, another machine is asked for it (`prefer`) and this one is not. Throws a `ConnectionUrlFault`.
 */
export function readConnectionUrl(url: string): ConnectionPlan {
  const { authority, path, query } = partsOf(url)
  const parameters = parametersOf(query)
  const at = authority.lastIndexOf('@')
  const places = placesOf(authority.slice(at + 1), parameters)
  const binding = choiceOf(parameters, 'channel_binding', ['disable', 'prefer', 'require'])
  const attributes = choiceOf(parameters, 'target_session_attrs', ['any', 'read-write', 'primary'])
  choiceOf(parameters, 'client_encoding', ['UTF8', 'utf8', 'UTF-8', 'utf-8', 'auto'])
  choiceOf(parameters, 'gssencmode', ['disable', 'prefer'])
  return {
    places,
    login: {
      ...loginOf(authority.slice(0, Math.max(at, 0)), path, parameters),
      sslnegotiation: choiceOf(parameters, 'sslnegotiation', ['postgres', 'direct']) ?? 'postgres',
      enableChannelBinding: binding === 'prefer' || binding === 'require',
    },
    needsChannelBinding: binding === 'require',
    connectTimeoutMs: timeoutOf(parameters),
    needsPrimary: attributes === undefined ? places.length > 1 : attributes !== 'any',
  }
}

function partsOf(url: string): { authority: string; path: string; query: string } {
  const parts = /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(url)
  if (parts === null) throw new ConnectionUrlFault('must be a postgres:// URL')
  const [, authority = '', path = '', query = ''] = parts
  if (!authority.includes('@') && path.includes('@')) throw unescaped()
  return { authority, path, query }
}

/** Parameters count before what stands in the URL itself. */
function loginOf(userInfo: string, path: string, parameters: Parameters): pg.ClientConfig {
  const [user, password] = splitOnce(userInfo, ':')
  const inUrl: Record<string, string> = { user, password, dbname: path }
  const given = (name: string) => parameters.get(name) ?? decoded(inUrl[name] ?? '')
  const login = {
    user: given('user'),
    password: given('password'),
    database: given('dbname'),
    application_name: given('application_name'),
    options: given('options'),
  }
  return Object.fromEntries(Object.entries(login).filter(([, value]) => value !== ''))
}

/** Where a connection string leads, without who signs in: `host:port,host:port/database`. */
export function placeOf(url: string): string {
  const { places, login } = readConnectionUrl(url)
  return `${places.map(({ host, port }) => `${host}:${port}`).join(',')}/${login.database ?? ''}`
}

/** Whether a host is this machine, as far as its name says so. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function unescaped(): ConnectionUrlFault {
  return new ConnectionUrlFault(
    'has a character in its user or password that must be given by its code: % as %25, / as %2F, ? as %3F, @ as %40',
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unescaped()
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function parametersOf(query: string): Parameters {
  const parameters = new Map<string, string>()
  for (const one of query.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(one, '=').map(decoded)
    if (name === undefined || value === undefined) continue
    if (name.includes('@')) throw unescaped()
    if (!KNOWN.has(name))
      throw new ConnectionUrlFault(
        `has the parameter "${name}", which the service does not know: leave it out`,
      )
    parameters.set(name, value)
  }
  return parameters
}

/** The value of a parameter that has few; undefined where it is left out. */
function choiceOf<Choice extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = parameters.get(name)
  const choice = choices.find((one) => one === value)
  if (value !== undefined && value !== '' && choice === undefined)
    throw new ConnectionUrlFault(`must have ${name}=${choices.join(' or ')}`)
  return choice
}

function timeoutOf(parameters: Parameters): number | undefined {
  const value = parameters.get('connect_timeout') ?? ''
  if (value === '' || value === '0') return undefined
  if (!/^\d{1,4}$/.test(value)) throw new ConnectionUrlFault('must have connect_timeout as seconds')
  // As in libpq, where one second counts as two.
  return Math.max(2, Number(value)) * 1000
}

/** The servers in the order of their names; each has a port of its own, or all have the same. */
function placesOf(hostsOfUrl: string, parameters: Parameters): [ServerPlace, ...ServerPlace[]] {
  const named = hostsOfUrl === '' ? [] : hostsOfUrl.split(',').map(hostAndPort)
  const hosts = parameters.get('host')?.split(',') ?? named.map(({ host }) => host)
  const ports = parameters.get('port')?.split(',') ?? named.map(({ port }) => port)
  const addresses = parameters.get('hostaddr')?.split(',') ?? []
  const count = Math.max(hosts.length, addresses.length, 1)
  if (ports.length > 1 && ports.length !== count)
    throw new ConnectionUrlFault(`must name one port, or one for each of its ${count} hosts`)
  if (addresses.length > 0 && addresses.length !== count)
    throw new ConnectionUrlFault('must have a hostaddr for each host')
  const tls = tlsOf(parameters)
  const placeAt = (at: number): ServerPlace => {
    const name = orElse(hosts[at], addresses[at] ?? 'localhost')
    const host = orElse(addresses[at], name)
    return { host, port: portOf(ports[at] ?? ports[0] ?? ''), tls: tls(host, name) }
  }
  return [placeAt(0), ...Array.from({ length: count - 1 }, (_, at) => placeAt(at + 1))]
}

function orElse(text: string | undefined, otherwise: string): string {
  return text === undefined || text === '' ? otherwise : text
}

function hostAndPort(text: string): { host: string; port: string } {
  const [, inBrackets, name = '', port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? []
  const host = inBrackets ?? decoded(name)
  if (host === '' && port === '' && text !== '') throw new ConnectionUrlFault('is not a URL')
  return { host, port }
}

function portOf(text: string): number {
  if (text === '') return DEFAULT_PORT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new ConnectionUrlFault('must name a port from 1 to 65535')
  return port
}

const DEFAULT_PORT = 5432

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
type SslMode = (typeof SSL_MODES)[number]

/** How a server is asked for TLS: by the host that it is reached at, and the name that its certificate has to have. */
function tlsOf(parameters: Parameters): (host: string, name: string) => ServerPlace['tls'] {
  const mode = sslModeOf(parameters)
  const hasOwnRoot = ownFileOf(parameters, 'sslrootcert') !== undefined
  const files = filesOf(parameters)
  const unchecked: ConnectionOptions = { ...files, rejectUnauthorized: false }
  const byRoot: ConnectionOptions = { ...files, checkServerIdentity: () => undefined }
  if (mode === 'verify-ca' && !hasOwnRoot)
    throw new ConnectionUrlFault('must have sslrootcert=/path/to/ca.pem beside sslmode=verify-ca')
  return (host, name) => {
    if (host.startsWith('/')) return [false]
    const by = (options: ConnectionOptions) => (host === name ? options : { ...options, servername: name })
    const ways: Record<SslMode, ServerPlace['tls']> = {
      disable: [false],
      allow: [false, by(unchecked)],
      prefer: [by(unchecked), false],
      // With a root certificate libpq checks it also where it is asked for TLS alone.
      require: [by(hasOwnRoot ? byRoot : unchecked)],
      'no-verify': [by(unchecked)],
      'verify-ca': [by(byRoot)],
      'verify-full': [by(files)],
    }
    return ways[mode ?? (isThisMachine(host) ? 'disable' : 'prefer')]
  }
}

/** Undefined where nothing of TLS is said. */
function sslModeOf(parameters: Parameters): SslMode | undefined {
  const mode = choiceOf(parameters, 'sslmode', SSL_MODES)
  const ssl = choiceOf(parameters, 'ssl', ['true', '1', 'false', '0', 'no-verify'])
  const isDirect = parameters.get('sslnegotiation') === 'direct'
  if (mode !== undefined) {
    refuseContradiction(mode, parameters, isDirect)
    return mode
  }
  if (ssl === 'no-verify') return 'no-verify'
  if (ssl === 'false' || ssl === '0') return 'disable'
  if (ssl !== undefined || parameters.has('sslrootcert')) return 'verify-full'
  return isDirect || parameters.get('channel_binding') === 'require' ? 'require' : undefined
}

function refuseContradiction(mode: SslMode, parameters: Parameters, isDirect: boolean): void {
  if (parameters.get('sslrootcert') === 'system' && mode !== 'verify-full')
    throw new ConnectionUrlFault('must have sslmode=verify-full beside sslrootcert=system')
  if (isDirect && ['disable', 'allow', 'prefer'].includes(mode))
    throw new ConnectionUrlFault('must have sslmode=require or stronger beside sslnegotiation=direct')
}

function filesOf(parameters: Parameters): ConnectionOptions {
  const passphrase = parameters.get('sslpassword')
  return {
    ...fileAs('ca', parameters, 'sslrootcert'),
    ...fileAs('cert', parameters, 'sslcert'),
    ...fileAs('key', parameters, 'sslkey'),
    ...fileAs('crl', parameters, 'sslcrl'),
    ...(passphrase === undefined ? {} : { passphrase }),
  }
}

function ownFileOf(parameters: Parameters, name: string): string | undefined {
  const path = parameters.get(name)
  return path === '' || path === 'system' ? undefined : path
}

function fileAs(
  option: 'ca' | 'cert' | 'key' | 'crl',
  parameters: Parameters,
  name: string,
): ConnectionOptions {
  const path = ownFileOf(parameters, name)
  if (path === undefined) return {}
  try {
    return { [option]: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new ConnectionUrlFault(
      `names a file that cannot be read by ${name}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
