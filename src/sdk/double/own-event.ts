import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { EventBase } from '../../contract/page/widget-event.ts'

type WithoutBase<Event> = Event extends FrameEvent ? Omit<Event, keyof EventBase> : never

/** An event's own fields; the double puts the widget's name on it. */
export type OwnEvent = WithoutBase<FrameEvent>
