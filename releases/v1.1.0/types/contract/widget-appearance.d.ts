/** Keys of `setTexts` (contract §1). */
export declare const TEXT_KEYS: readonly ["title", "title_h1", "title_h2", "title_h3", "title_h4", "title_h5", "title_h6", "title_description", "submit_button", "submit_button_processing", "finish_text"];
/** Characters that one text or style may have. */
export declare const MAX_VALUE_LENGTH = 2000;
/** Keys of `setStyles` (contract §1). */
export declare const STYLE_KEYS: readonly ["background_color", "background_active_color", "text_color", "border_color", "button_color", "error_color", "success_color", "icon_size", "font_size", "font_family"];
/** Parts of the form that `setElementStyle` knows. */
export declare const ELEMENTS: readonly ["input", "submit_button", "label", "title", "title_description"];
/** States of a part that can be styled apart: an input's focus and error, the button's hover. */
export declare const ELEMENT_STATES: readonly ["focus", "error", "hover"];
/** Properties of `setElementStyle` (contract §1). */
export declare const ELEMENT_PROPERTIES: readonly ["color", "border", "border_radius", "background_color", "height", "text_decoration", "font_size", "font_family", "line_height", "font_weight", "padding", "margin", "transition", "opacity", "text_align"];
/** Schemes that `setSupportedCardIcons` knows (contract §1). */
export declare const CARD_ICONS: readonly ["visa", "mastercard", "amex", "diners", "discover", "japcb", "unionpay", "maestro", "ausbc", "solo", "laser"];
/** Named looks of the form; `plain` is the one it has by itself. */
export declare const THEMES: readonly ["plain", "soft", "outline", "compact"];
/** Languages with built-in texts (ISO 639-1). */
export declare const LANGUAGES: readonly ["en", "fr", "de", "es", "it", "pt", "nl", "ja", "zh", "ko", "ar", "hi"];
export type Element = (typeof ELEMENTS)[number];
export type ElementState = (typeof ELEMENT_STATES)[number];
export type ElementProperty = (typeof ELEMENT_PROPERTIES)[number];
export type CardIcon = (typeof CARD_ICONS)[number];
export type Theme = (typeof THEMES)[number];
export type Language = (typeof LANGUAGES)[number];
export type TextKey = (typeof TEXT_KEYS)[number];
export type StyleKey = (typeof STYLE_KEYS)[number];
export type Texts = Partial<Record<TextKey, string>>;
export type Styles = Partial<Record<StyleKey, string>>;
