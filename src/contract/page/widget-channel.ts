import * as v from 'valibot'
import { FORM_FIELDS } from './fields/card-fields.ts'
import { WidgetSettings } from './widget-settings.ts'

/** Version of the protocol between page and frame. Both sides refuse any other. */
export const PROTOCOL = 2

/**
 * The only message that the frame sends to the page's window, from its own origin: once it can be welcomed, and whenever the page asks
 * for it. The page takes nothing from it but which document it is.
 */
export interface Hello {
  hello: 'widget.svc'
  /** A random name of this document; one that is loaded again has another. */
  document: string
  /** Its path and query: a browser may show what stood in the frame at an earlier visit. */
  address: string
  /** Whether a page has welcomed it already. */
  is_taken: boolean
}

/** Asks a frame for its hello. It says nothing else, so it may be sent to whatever is in the frame. */
export const ASK_FOR_HELLO = 'widget.svc hello?'

/**
 * The only message that the page sends to the frame's window. It carries a `MessagePort`, which all later messages use.
 * `protocol` is checked first, so that a frame of another version can report the mismatch.
 */
export const Welcome = v.strictObject({
  channel: v.literal('widget.svc'),
  protocol: v.number(),
  widget_id: v.pipe(v.string(), v.uuid()),
  settings: WidgetSettings,
  /** What somebody had typed into the form is gone: browsers load the document again when a page moves its frame. */
  is_reloaded: v.optional(v.literal(true)),
})
export type Welcome = v.InferOutput<typeof Welcome>

/** A command of the page, sent by the port. */
export const Command = v.union([
  /** Replaces the given settings; texts, styles, labels, placeholders and values are merged. */
  v.strictObject({ command: v.literal('set'), settings: WidgetSettings }),
  /** Acts as if the button was pressed, even if it is hidden. */
  v.strictObject({ command: v.literal('submit') }),
  /**
   * What the page did with the token has ended: all is done, or the form can be submitted again. To a checkout: its dialog with a bank's step
   * is closed.
   */
  v.strictObject({ command: v.literal('settle'), is_done: v.boolean() }),
  /** Focuses a field, or the first one that is not valid. The form can be submitted again. */
  v.strictObject({ command: v.literal('focus'), field: v.optional(v.picklist(FORM_FIELDS)) }),
  /** Empties every field and removes all messages. */
  v.strictObject({ command: v.literal('clear') }),
  /** Of a bank's step: asks the card holder whether they want to give up. */
  v.strictObject({ command: v.literal('cancel') }),
])
export type Command = v.InferOutput<typeof Command>
