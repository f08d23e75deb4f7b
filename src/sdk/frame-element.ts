/** Whether the form is shown, and if not, whether the page keeps its place. */
export type Presence = 'shown' | 'hidden' | 'gone'

const SHADE = 'rgb(128 128 128/.14)'

/** A quiet picture of a form behind the frame: still, in a grey that suits any ground. */
const SKELETON = [
  bar('0 24px', '100% 44px'),
  bar('0 108px', '100% 44px'),
  bar('0 192px', 'calc(50% - 8px) 44px'),
  bar('100% 192px', 'calc(50% - 8px) 44px'),
].join()

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
  const attributes = {
    title: 'Card details',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    allow: '',
    referrerpolicy: 'no-referrer',
    src: address,
  }
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    border: '0',
    height: `${String(height)}px`,
    background: SKELETON,
  })
  return frame
}

/** The form is there: its picture goes. */
export function uncoverFrame(frame: HTMLIFrameElement): void {
  frame.style.background = ''
}

/** Gives the iframe the height of its content, in CSS pixels; no scrollbar shows while that changes. */
export function fitFrame(frame: HTMLIFrameElement, height: number): void {
  frame.setAttribute('scrolling', 'no')
  frame.style.height = `${String(Math.ceil(height))}px`
}

/** Shows the iframe, or takes it out of sight with or without its place. */
export function presentFrame(frame: HTMLIFrameElement, presence: Presence): void {
  frame.style.display = presence === 'gone' ? 'none' : 'block'
  frame.style.visibility = presence === 'hidden' ? 'hidden' : ''
}

function bar(position: string, size: string): string {
  return `linear-gradient(${SHADE},${SHADE}) ${position}/${size} no-repeat`
}
