import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'

/** Where the person is. */
export interface Place {
  path: string
  query: URLSearchParams
  /** Without its `#`. */
  hash: string
  /** What the page that led here kept in the history's entry. */
  kept: unknown
  /** Whether the document was loaded at this place. */
  isFirst: boolean
}

export interface GoOptions {
  /** Takes the place of the current entry of the history, so that going back skips it. */
  replace?: boolean
  /** Kept in the history's entry; survives a reload. */
  keep?: unknown
}

/** Goes to addresses of the dashboard without loading the document again. */
export interface Router {
  place: ReadonlySignal<Place>
  go: (href: string, options?: GoOptions) => void
  /** Stops listening to the window. */
  stop: () => void
}

/** Follows the history of a window. Links (`<a href>`) inside of the dashboard need nothing but their address. */
export function createRouter(window: Window): Router {
  const { origin } = window.location
  const place = signal(placeOf(window, true))
  const arrive = () => void (place.value = placeOf(window, false))
  const go = (href: string, { replace = false, keep = null }: GoOptions = {}) => {
    const before = place.value.path
    if (replace) window.history.replaceState(keep, '', href)
    else window.history.pushState(keep, '', href)
    arrive()
    if (place.value.path !== before) window.scrollTo(0, 0)
  }
  const follow = (event: MouseEvent) => {
    const href = hrefToFollow(event, origin)
    if (href === null) return
    event.preventDefault()
    go(href)
  }
  window.addEventListener('popstate', arrive)
  window.document.addEventListener('click', follow)
  return {
    place,
    go,
    stop: () => {
      window.removeEventListener('popstate', arrive)
      window.document.removeEventListener('click', follow)
    },
  }
}

function placeOf({ location, history }: Window, isFirst: boolean): Place {
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    hash: location.hash.slice(1),
    kept: history.state,
    isFirst,
  }
}

/** The address of a link that was clicked plainly and leads to a page of the dashboard; null for any other click. */
function hrefToFollow(event: MouseEvent, origin: string): string | null {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  if (!isPlain || event.defaultPrevented || !(event.target instanceof Element)) return null
  const link = event.target.closest('a')
  if (!link || isForBrowser(link)) return null
  const url = new URL(link.href, origin)
  return url.origin !== origin || isOfService(url.pathname) ? null : url.pathname + url.search + url.hash
}

/** Whether a link opens a tab, saves a file or leads within the page, as "Skip to the content" does. */
function isForBrowser(link: HTMLAnchorElement): boolean {
  const isWithinPage = link.getAttribute('href')?.startsWith('#') === true
  return link.target !== '' || link.hasAttribute('download') || isWithinPage
}

/** Whether the service itself answers at a path, and no page of this app. */
function isOfService(path: string): boolean {
  return /^\/(?:api|v1|assets)\//.test(path)
}

/** A place to return to after the sign-in, if it is one of the dashboard's; else its first page. */
export function safeReturn(next: string | null, origin: string): string {
  if (next?.startsWith('/') !== true || !URL.canParse(next, origin)) return '/'
  const url = new URL(next, origin)
  return url.origin === origin ? url.pathname + url.search + url.hash : '/'
}
