import { CARD_FIELDS } from '../../contract/page/card-fields.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

/** Whether the form is shown and, if not, whether the page keeps its space free. */
export interface Visibility {
  display: 'block' | 'none'
  visibility: 'visible' | 'hidden'
}

/** Placeholder behind the frame while it loads: one bar for each row, in a grey that suits any background. */
const SKELETON = 'repeating-linear-gradient(#0000 0 26px,#8882 0 74px,#0000 0 90px)'

/**
 * The iframe for a document's address, not yet in the page. Styled through CSSOM alone, which a page's
 * Content-Security-Policy without 'unsafe-inline' allows.
 *
 * `allow-same-origin` means the widget's own origin, not the page's; without it the frame could not tokenise. No referrer
 * is sent: `frame-ancestors` guards the document, and the address of the merchant's page is private.
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

/** CSS pixels of a form with a card's four fields and the button, of one more field, and of the button. */
const CARD_FORM_HEIGHT = 344
const FIELD_HEIGHT = 90
const BUTTON_HEIGHT = 66

/** CSS pixels to keep free until the form reports its height, so that the page does not jump. */
export function reservedHeight({ fields = [], hidden = [] }: WidgetSettings): number {
  const added = fields.filter(({ field }) => !CARD_FIELDS.includes(field) && !hidden.includes(field))
  const button = hidden.includes('submit_button') ? BUTTON_HEIGHT : 0
  return CARD_FORM_HEIGHT + added.length * FIELD_HEIGHT - button
}
