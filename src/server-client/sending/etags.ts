/** Kept beside the answers, so that these are the service's data and nothing more. */
const etags = new WeakMap<object, string>()

export function keepEtag(answer: unknown, etag: string | null): void {
  if (etag !== null && typeof answer === 'object' && answer !== null) etags.set(answer, etag)
}

/**
 * The `ETag` of an agreement or charge that this client answered, for `ifMatch`. Throws a `TypeError` for any other object, a copy included.
 */
export function etagOf(answer: object): string {
  const etag = etags.get(answer)
  if (etag === undefined)
    throw new TypeError('etagOf takes the very agreement or charge that a call of this client answered.')
  return etag
}
