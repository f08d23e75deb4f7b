const TICK_MS = 500

/**
 * Calls back once the page has run for some ms, by ticks that each count as one, however late they come. So time does not pass while the
 * page is frozen or the device asleep, and a page that could not run its scripts still hears what has come meanwhile. While a
 * page is prerendered, frames of other origins wait until a person sees it. Returns the function that cancels.
 */
export function afterRunning(milliseconds: number, work: () => void): () => void {
  let left = milliseconds
  const timer = setInterval(() => {
    const isPrerendered = 'prerendering' in document && document.prerendering === true
    if (!isPrerendered) left -= TICK_MS
    if (left > 0) return
    clearInterval(timer)
    work()
  }, TICK_MS)
  return () => clearInterval(timer)
}
