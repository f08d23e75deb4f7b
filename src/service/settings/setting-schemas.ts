import { isIP } from 'node:net'
import * as v from 'valibot'
import { ConnectionUrlFault, readConnectionUrl } from '../platform/database/connection-url.ts'

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

/** As `postgres://user:password@host:port/database`; its faults are told in words of their own. */
export const databaseUrl = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const message = urlFaultOf(dataset.value)
    if (message !== null) addIssue({ message })
  }),
)

function urlFaultOf(url: string): string | null {
  try {
    readConnectionUrl(url)
    return null
  } catch (error) {
    if (error instanceof ConnectionUrlFault) return error.message
    throw error
  }
}
