import type { RawRequest } from '../../../platform/http/app.ts'

/** Addresses that show themselves to a person too: of the API (a download) and of files. */
const NO_PAGE = /^\/(?:api|v1|assets)(?:\/|$)/

/**
 * The path that a request is answered by: what a browser is to show as a page is the dashboard's document, whatever its
 * address. A page of the dashboard and an answer of the API may so have the same address, such as `/agreements`.
 */
export function answeredPath({ method, headers, url = '/' }: RawRequest): string {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !NO_PAGE.test(url) && isOpenedByPerson(headers) ? '/' : url
}

/** Browsers say so (Fetch Metadata); of one that does not, what it wants to have tells it. */
function isOpenedByPerson(headers: RawRequest['headers']): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate'
}
