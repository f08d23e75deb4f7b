/** `https://shop.example`, `https://*.shop.example`, `http://localhost:8090`, `http://[::1]:8090`; nothing that ends a directive. */
const FORM = /^https?:\/\/(?:(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/

/** Whether a text is the origin of pages as a browser writes it, fit to stand in a Content-Security-Policy. */
export function isPageOrigin(text: string): boolean {
  // Chromium writes the star of a host as %2A, so another name stands for it.
  const address = text.replace('://*.', '://any.')
  return FORM.test(text) && URL.canParse(address) && new URL(address).origin === address
}
