import Negotiator from 'negotiator'

/** How contents are compressed, by the names in HTTP; what makes them smallest comes first. */
const COMPRESSIONS = ['br', 'gzip'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** Browsers send some 30 characters; the time for a header of thousands grows with it. */
const LONGEST_ACCEPT_ENCODING = 500

/** The best compression that an `Accept-Encoding` allows (RFC 9110 §12.5.3); null where it allows none. */
export function acceptedCompression(acceptEncoding: string | undefined): Compression | null {
  const client = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding?.slice(0, LONGEST_ACCEPT_ENCODING) },
  })
  const accepted = client.encodings([...COMPRESSIONS])
  return COMPRESSIONS.find((compression) => accepted.includes(compression)) ?? null
}
