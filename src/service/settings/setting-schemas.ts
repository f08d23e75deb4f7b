import { isIP } from 'node:net'
import * as v from 'valibot'

/** A port, as digits; 0 lets the system choose one. */
export const portNumber = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port number'),
  v.transform(Number),
  v.maxValue(65535, 'must be a port number'),
)

/** An origin such as `https://pay.example.com`; slashes at its end are dropped. */
export const origin = v.pipe(
  v.string(),
  v.transform((url) => url.replace(/\/+$/, '')),
  v.check(isOrigin, 'must be an origin such as https://pay.example.com'),
)

function isOrigin(url: string): boolean {
  // Characters such as `;`, which the URL standard allows in a host and a policy's list of sources does not.
  return (
    /^https?:\/\/[\w.:[\]-]+$/.test(url) && URL.canParse(url) && new URL(url).origin === url.toLowerCase()
  )
}

/** An address of this machine to listen at; a name could mean several. */
export const hostAddress = v.pipe(
  v.string(),
  v.check((text) => isIP(text) !== 0, 'must be an IP address such as 127.0.0.1, 0.0.0.0 or ::'),
)

export const drainSeconds = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9]\d{0,2})$/, 'must be a whole number of seconds, up to 999'),
  v.transform(Number),
)

/** How many processes serve. More than a machine's processors are of no use. */
export const processCount = v.pipe(
  v.string(),
  v.regex(/^(?:[1-9]|[1-5]\d|6[0-4])$/, 'must be a whole number from 1 to 64'),
  v.transform(Number),
)

/** In place of a URL: the PostgreSQL that comes with the service. */
export const EMBEDDED = 'embedded'

export const databaseUrl = v.union([
  v.literal(EMBEDDED),
  v.pipe(
    v.string(),
    v.regex(/^postgres(?:ql)?:\/\//, 'must be a postgres:// URL'),
    v.check((url) => URL.canParse(url), 'is not a URL'),
    v.check(hasPort, 'must name a port from 0 to 65535'),
  ),
])

/** A URL's own port is one, or it would not be a URL; the parameter that `pg` takes in its place may be anything. */
function hasPort(url: string): boolean {
  // What is no URL at all has been refused for that.
  if (!URL.canParse(url)) return true
  const ports = new URL(url).searchParams.getAll('port')
  return ports.every((text) => /^\d{0,5}$/.test(text) && Number(text) <= 65535)
}
