import Negotiator from 'negotiator'

/** How contents are compressed, by the names in HTTP; what makes them smallest comes first. */
const COMPRESSIONS = ['br', 'gzip'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** The best compression that an `Accept-Encoding` allows (RFC 9110 §12.5.3); null where it allows none. */
export function acceptedCompression(acceptEncoding: string | undefined): Compression | null {
  const client = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const accepted = client.encodings([...COMPRESSIONS])
  return COMPRESSIONS.find((compression) => accepted.includes(compression)) ?? null
}
