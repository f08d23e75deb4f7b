import type { FormLayout } from './form-layout.ts'

/** Whether the form is shown and, if not, whether the page keeps its space free. */
export interface Visibility {
  display: 'block' | 'none'
  visibility: 'visible' | 'hidden'
}

/**
 * Placeholder behind the frame until its document is there: a bar for each text, input and button, in a grey that suits any
 * background. Lines begin where the page's texts do.
 */
function skeletonOf({ bars }: FormLayout, isRightToLeft: boolean): string {
  const list = (part: (bar: FormLayout['bars'][number]) => string) => bars.map(part).join()
  const place = ({ top, edge, fromEnd = false }: FormLayout['bars'][number]) =>
    `${fromEnd === isRightToLeft ? 'left' : 'right'} ${edge} top ${top}px`
  return (
    `background-image:${list(() => 'linear-gradient(#8882,#8882)')};background-repeat:no-repeat;` +
    `background-position:${list(place)};background-size:${list(({ width, height }) => `${width} ${height}px`)}`
  )
}

/**
 * The iframe for a document's address, not yet in the page. Styled through CSSOM alone, which a page's
 * Content-Security-Policy without 'unsafe-inline' allows.
 *
 * `allow-same-origin` means the widget's own origin, not the page's; without it the frame could not tokenise. No referrer
 * is sent: `frame-ancestors` guards the document, and the address of the merchant's page is private.
 */
export function createFrameElement(address: string, layout: FormLayout, language: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    title: 'Card details',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    allow: '',
    referrerPolicy: 'no-referrer',
    src: address,
  })
  frame.style.cssText = `display:block;width:100%;border:0;height:${layout.height}px;${skeletonOf(layout, language === 'ar')}`
  frame.lang = language
  return frame
}
