import * as v from 'valibot'
import { FORM_FIELDS } from './card-fields.ts'
import { WidgetSettings } from './widget-settings.ts'

/** Version of the page ↔ frame protocol; both sides refuse another one. */
export const PROTOCOL = 2

/**
 * The one message that the page sends to the frame's window, with a `MessagePort`; from then on both speak by
 * the port. `protocol` is read first, so that a frame of another version can still say so.
 */
export const Welcome = v.strictObject({
  channel: v.literal('widget.svc'),
  protocol: v.number(),
  widget_id: v.pipe(v.string(), v.uuid()),
  settings: WidgetSettings,
})
export type Welcome = v.InferOutput<typeof Welcome>

/** What the page may tell the frame by the port, once it is welcome. */
export const Command = v.union([
  /** Settings that are given replace those of the same name; texts, styles, labels, placeholders and values are merged. */
  v.strictObject({ command: v.literal('set'), settings: WidgetSettings }),
  /** As if the button had been pressed, whether it is shown or not. */
  v.strictObject({ command: v.literal('submit') }),
  /** Puts the focus into a field, or into the first that needs an answer; the form takes another try. */
  v.strictObject({ command: v.literal('focus'), field: v.optional(v.picklist(FORM_FIELDS)) }),
  /** Empties every field and takes back what is said about them. */
  v.strictObject({ command: v.literal('clear') }),
])
export type Command = v.InferOutput<typeof Command>
