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
  // What a host may hold by the URL standard and a policy's list of sources may not: such as `;`.
  return (
    /^https?:\/\/[\w.:[\]-]+$/.test(url) && URL.canParse(url) && new URL(url).origin === url.toLowerCase()
  )
}
