/** Tells the merchant's developer, in the page's console, of something that was ignored. */
export function warn(message: string): void {
  // eslint-disable-next-line no-console -- the contract's way to speak to a developer
  console.warn(`[svc] ${message}`)
}
