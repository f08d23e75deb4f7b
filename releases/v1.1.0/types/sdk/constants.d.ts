/** Release of this SDK; the frame comes from the same one. */
export declare const VERSION: string;
/** Names for `on` and `off`. */
export declare const EVENT: {
    readonly FOCUS: "focus";
    readonly AFTER_LOAD: "afterLoad";
    readonly SUBMIT: "submit";
    readonly FINISH: "finish";
    readonly VALIDATION_ERROR: "validationError";
    readonly SYSTEM_ERROR: "systemError";
    readonly META_CHANGE: "metaChange";
    readonly RESIZE: "resize";
    readonly VALIDATION: "validation";
    readonly BLUR: "blur";
};
/** Names for `trigger`. */
export declare const TRIGGER: {
    readonly SUBMIT_FORM: "submit_form";
};
/** Keys for `setText` and `setTexts`. */
export declare const TEXT: {
    readonly TITLE: "title";
    readonly TITLE_H1: "title_h1";
    readonly TITLE_H2: "title_h2";
    readonly TITLE_H3: "title_h3";
    readonly TITLE_H4: "title_h4";
    readonly TITLE_H5: "title_h5";
    readonly TITLE_H6: "title_h6";
    readonly TITLE_DESCRIPTION: "title_description";
    readonly SUBMIT_BUTTON: "submit_button";
    readonly SUBMIT_BUTTON_PROCESSING: "submit_button_processing";
    readonly FINISH_TEXT: "finish_text";
};
/** Keys for `setStyle` and `setStyles`. */
export declare const STYLE: {
    readonly BACKGROUND_COLOR: "background_color";
    readonly BACKGROUND_ACTIVE_COLOR: "background_active_color";
    readonly TEXT_COLOR: "text_color";
    readonly BORDER_COLOR: "border_color";
    readonly BUTTON_COLOR: "button_color";
    readonly ERROR_COLOR: "error_color";
    readonly SUCCESS_COLOR: "success_color";
    readonly ICON_SIZE: "icon_size";
    readonly FONT_SIZE: "font_size";
    readonly FONT_FAMILY: "font_family";
};
/** Parts of the form for `setElementStyle`; the button for `hideElements` too. */
export declare const ELEMENT: {
    readonly TITLE: "title";
    readonly TITLE_DESCRIPTION: "title_description";
    readonly SUBMIT_BUTTON: "submit_button";
    readonly INPUT: "input";
    readonly LABEL: "label";
};
/** Schemes for `setSupportedCardIcons`. */
export declare const SUPPORTED_CARD_TYPES: {
    readonly VISA: "visa";
    readonly MASTERCARD: "mastercard";
    readonly AMEX: "amex";
    readonly DINERS: "diners";
    readonly DISCOVER: "discover";
    readonly JAPCB: "japcb";
    readonly UNIONPAY: "unionpay";
    readonly MAESTRO: "maestro";
    readonly AUSBC: "ausbc";
    readonly SOLO: "solo";
    readonly LASER: "laser";
};
/** Fields of the form, as `invalid_fields`, `focus` and `blur` name them. */
export declare const FORM_FIELD: {
    readonly CARD_NAME: "card_name";
    readonly CARD_NUMBER: "card_number";
    readonly EXPIRE_MONTH: "expire_month";
    readonly EXPIRE_YEAR: "expire_year";
    readonly CARD_CCV: "card_ccv";
    readonly FIRST_NAME: "first_name";
    readonly LAST_NAME: "last_name";
    readonly EMAIL: "email";
    readonly PHONE: "phone";
    readonly ADDRESS_LINE1: "address_line1";
    readonly ADDRESS_LINE2: "address_line2";
    readonly ADDRESS_CITY: "address_city";
    readonly ADDRESS_STATE: "address_state";
    readonly ADDRESS_COUNTRY: "address_country";
    readonly ADDRESS_POSTCODE: "address_postcode";
    readonly ADDRESS_COMPANY: "address_company";
};
/** What a widget can be for. */
export declare const PURPOSE: {
    readonly PAYMENT_SOURCE: "payment_source";
};
/** What a widget can ask the shopper for. */
export declare const PAYMENT_TYPE: {
    readonly CARD: "card";
};
