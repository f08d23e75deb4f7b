import type { FormField } from '../contract/card-fields.js';
import type { FinishEvent } from '../contract/widget-event.js';
import { EventMethods } from './event-methods.js';
/** A card form of another origin inside the merchant's page; it hands back a one-time `payment_source`. */
export declare class HtmlWidget extends EventMethods {
    #private;
    /**
     * `container` is a selector or an element. `gatewayId` `'default'` is the merchant's default gateway;
     * `'not_configured'` makes a token that any gateway may use.
     */
    constructor(container: string | Element, publicKey: string, gatewayId?: string, paymentType?: 'card', purpose?: 'payment_source');
    /**
     * Shows the form. The promise settles once it can be typed into, or with a `WidgetError`, or with the reason
     * of `signal`, which stops a load that is under way; at the latest after 15 s. While the form is there, a
     * second call answers with the same promise; after a fault it tries again.
     * @throws TypeError if the container matches nothing; everything later is a `systemError` event.
     */
    load(options?: {
        signal?: AbortSignal | undefined;
    }): Promise<void>;
    /** Shows a new, empty form in place of this one, with the same settings and listeners. Settles as `load` does. */
    reload(): Promise<void>;
    /** Removes the form and forgets everything; a load or submit under way is rejected. Emits nothing from now on. */
    destroy(): void;
    /** Lets the form follow the height of its content. */
    useAutoResize(): this;
    /**
     * Ties the card to a form of the page and hides the widget's own button: when that form is submitted, the card
     * is first; on `finish` the form goes on by `requestSubmit`, with the button that was pressed, so the page's own
     * validation and handlers run then, once.
     * @throws TypeError if that is no form of this page.
     */
    interceptSubmitForm(form: string | HTMLFormElement): this;
    /** Submits the card. The promise settles with the `finish` event, or with a `WidgetError` that says why not. */
    submit(): Promise<FinishEvent>;
    /** `trigger('submit_form')` submits the card, as `submit()` does; how it ends is told by the events. */
    trigger(name: 'submit_form'): this;
    /** Puts the focus into a field, or into the first that needs an answer; after a `finish` the card can be sent again. */
    focus(field?: FormField): this;
    /** Empties the form. */
    clear(): this;
    /** Takes the form out of sight; with `saveSize` its place stays empty. What is typed stays. */
    hide(saveSize?: boolean): this;
    /** Undoes `hide`. */
    show(): this;
}
