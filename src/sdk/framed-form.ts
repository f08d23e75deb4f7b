import type { Element, Layout, TextKey, Texts } from '../contract/page/widget-appearance.ts'
import { FramedDocument } from './framed-document.ts'
import { changed, hostOf } from './iframe-host/frame-host.ts'
import { elementStyleIn, layoutIn, textsIn } from './settings/appearance.ts'
import type { ElementStyles, StateOf } from './settings/appearance.ts'
import { nameOf } from './settings/merchant-input.ts'

/** A form in a frame of the page, with its texts and the styles of its elements. */
export abstract class FramedForm extends FramedDocument {
  /** Changes some of the form's texts; a form that is shown changes at once. */
  setTexts(texts: Texts): this {
    return changed(this, textsIn(texts))
  }

  /** Changes one text of the form. */
  setText(key: TextKey, value: string): this {
    return this.setTexts({ [nameOf(key)]: value })
  }

  /** Styles one element: `input` (states `focus` and `error`), `submit_button` (state `hover`), `label`, `title`, … */
  setElementStyle(element: Element, styles: ElementStyles): this
  setElementStyle<Name extends Element>(
    element: Name,
    state: StateOf<Name> | null | undefined,
    styles: ElementStyles,
  ): this
  setElementStyle(
    element: Element,
    state: StateOf<Element> | ElementStyles | null | undefined,
    styles?: ElementStyles,
  ) {
    return changed(this, elementStyleIn(hostOf(this).settings, element, state, styles))
  }

  /** `line`: number, expiry and code stand in one box, in two lines where it is narrow. `stacked`: each under its label. */
  setLayout(name: Layout): this {
    return changed(this, layoutIn(name))
  }

  /** Whether the focus goes on by itself from a card field that is complete and right, as it does until this is called with false. */
  setAutoAdvance(isOn = true): this {
    // A page without types may pass any value; the frame accepts a boolean only.
    return changed(this, { auto_advance: isOn ? true : false })
  }
}
