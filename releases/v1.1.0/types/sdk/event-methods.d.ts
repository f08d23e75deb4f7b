import type { EventName, EventOf, FinishEvent } from '../contract/widget-event.js';
import { ValidityMethods } from './validity-methods.js';
/** Who in the page wants to hear what. */
export declare abstract class EventMethods extends ValidityMethods {
    #private;
    /**
     * Calls back on each such event, or without a callback promises the first one. That promise stays pending if
     * the event never comes, also after `destroy()` and `off()`.
     * @throws TypeError on a name that is no event.
     */
    on<Name extends EventName>(event: Name): Promise<EventOf<Name>>;
    on<Name extends EventName>(event: Name, callback: (event: EventOf<Name>) => void): this;
    /** Takes back one callback, or all of an event. */
    off<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void): this;
    /**
     * On each `finish` writes `event[key]` into every input that matches, before the page's own callbacks run, and
     * fires `input` and `change` on it.
     * @throws DOMException on a selector that is none.
     */
    onFinishInsert(selector: string, key: keyof FinishEvent): this;
}
