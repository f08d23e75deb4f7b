import type { EventBase, WidgetEvent } from '../../contract/widget-event.ts'

type WithoutBase<Event> = Event extends WidgetEvent ? Omit<Event, keyof EventBase> : never

/** An event's own fields; the double puts the widget's name on it. */
export type OwnEvent = WithoutBase<WidgetEvent>
