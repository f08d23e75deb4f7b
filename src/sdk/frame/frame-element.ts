/** Whether the form is shown, and if not, whether the page keeps its place. */
export interface Presence {
  display: 'block' | 'none'
  visibility: 'visible' | 'hidden'
}

/** A quiet picture of a form behind the frame: one still bar for each row, in a grey that suits any ground. */
const SKELETON = 'repeating-linear-gradient(#0000 0 26px,#8882 0 74px,#0000 0 90px)'

/**
 * The iframe for a frame's address, not yet in the page. Styled by the CSSOM alone, which a page's
 * Content-Security-Policy without 'unsafe-inline' lets pass.
 *
 * `allow-same-origin` is the widget's own origin, not the page's; without it the frame could not tokenise.
 * No referrer is sent: the frame's document is guarded by frame-ancestors, and the address of a checkout page
 * is nobody's business.
 */
export function createFrameElement(address: string, height: number): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    title: 'Card details',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    allow: '',
    referrerPolicy: 'no-referrer',
    src: address,
  })
  frame.style.cssText = `display:block;width:100%;border:0;height:${height}px;background:${SKELETON}`
  return frame
}
