import type { PaymentFailure, PaymentSuccessful } from '../contract/checkout-event.js';
import { FrameMethods } from './frame-methods.js';
/**
 * The whole checkout of an intent in the merchant's page: what is to be paid, the card form, the payment and how it
 * ended (contract §5). It shows itself as soon as the running script has ended, so that all that is set right after its
 * birth counts. The looks and words that are set here win over those of the intent's template.
 */
export declare class Checkout extends FrameMethods {
    #private;
    /**
     * `container` is a selector or an element; `token` is the intent's, as the merchant's server got it.
     * @throws TypeError if the container matches nothing.
     */
    constructor(container: string | Element, token: string);
    /**
     * Shows the checkout, which it does by itself: only for those who want to wait for it, to stop it by `signal`, or to
     * try again after a fault. Settles as `HtmlWidget.load` does.
     */
    load(options?: {
        signal?: AbortSignal | undefined;
    }): Promise<void>;
    /** Calls back once the intent is paid, here or in another page. What it says is for the merchant's server to check. */
    onPaymentSuccessful(callback: (payment: PaymentSuccessful) => void): this;
    /** Calls back for each try that failed, which the shopper may make again, and when the checkout can't be shown. */
    onPaymentFailure(callback: (failure: PaymentFailure) => void): this;
    /** Calls back once the intent has expired: only a new one can be paid. */
    onPaymentExpired(callback: () => void): this;
    /** Removes the checkout and forgets the callbacks. A payment that is under way goes on at the service. */
    destroy(): void;
}
