import type { SystemErrorEvent, ValidationErrorEvent } from '../contract/widget-event.js';
/** What the promises of `load()` and `submit()` reject with: a fault, and the event that told it. */
export declare class WidgetError extends Error {
    readonly name = "WidgetError";
    /** One word to branch on, such as `frame_not_loaded`. */
    readonly code: string;
    /** Whether the same call may work when it is made again. */
    readonly retryable: boolean;
    /** The event with all its details, where one was told. */
    readonly event: SystemErrorEvent | ValidationErrorEvent | undefined;
    constructor(fault: {
        code: string;
        message: string;
        retryable?: boolean;
    }, event?: SystemErrorEvent | ValidationErrorEvent);
}
