import type { Element, StyleKey, Styles, TextKey, Texts, Theme } from '../contract/widget-appearance.js';
import type { ElementStyles, StateOf } from './styled-element.js';
/** What a merchant says about the looks and words of the form, before it is there or while it is. */
export declare abstract class AppearanceMethods {
    /** Changes some of the form's texts, at once if it is there. */
    setTexts(texts: Texts): this;
    /** Changes one text of the form. */
    setText(key: TextKey, value: string): this;
    /** Changes some of the form's styles, at once if it is there. */
    setStyles(styles: Styles): this;
    /** Changes one style of the form. */
    setStyle(key: StyleKey, value: string): this;
    /** Styles one part of the form: `input` (also on `focus` and in `error`), `submit_button` (also on `hover`), … */
    setElementStyle(element: Element, styles: ElementStyles): this;
    setElementStyle<Part extends Element>(element: Part, state: StateOf<Part> | null | undefined, styles: ElementStyles): this;
    /** Chooses one of the named looks; styles go on top of it. */
    setTheme(name: Theme): this;
    /** Language of the built-in texts, such as `fr` or `pt-BR`; English for one that is not built in. */
    setLanguage(code: string): this;
}
