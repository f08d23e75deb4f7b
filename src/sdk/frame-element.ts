/** Height in CSS pixels that is reserved until the form says its own, so that the page does not jump. */
const RESERVED_HEIGHT = 344

/**
 * The iframe for a frame's address, not yet in the page. Styled by the CSSOM alone, which a page's
 * Content-Security-Policy without 'unsafe-inline' lets pass.
 *
 * `allow-same-origin` is the widget's own origin, not the page's; without it the frame could not tokenise.
 * No referrer is sent: the frame's document is guarded by frame-ancestors, and the address of a checkout page
 * is nobody's business.
 */
export function createFrameElement(address: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Card details'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  frame.setAttribute('allow', '')
  frame.setAttribute('referrerpolicy', 'no-referrer')
  frame.style.display = 'block'
  frame.style.width = '100%'
  frame.style.border = '0'
  frame.style.height = `${String(RESERVED_HEIGHT)}px`
  frame.src = address
  return frame
}

/** Gives the iframe the height of its content, in CSS pixels; no scrollbar shows while that changes. */
export function fitFrame(frame: HTMLIFrameElement, height: number): void {
  frame.setAttribute('scrolling', 'no')
  frame.style.height = `${String(Math.ceil(height))}px`
}
