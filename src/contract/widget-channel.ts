import * as v from 'valibot'
import { MAX_VALUE_LENGTH, STYLE_KEYS, TEXT_KEYS } from './widget-appearance.ts'
import type { StyleKey, TextKey } from './widget-appearance.ts'

/** Version of the page ↔ frame protocol; both sides refuse another one. */
export const PROTOCOL = 1

const shortText = v.pipe(v.string(), v.maxLength(MAX_VALUE_LENGTH))
const entriesOf = <Key extends string>(keys: readonly Key[]) =>
  v.partial(v.strictObject(v.entriesFromList(keys, shortText)))

const Texts = entriesOf<TextKey>(TEXT_KEYS)
const Styles = entriesOf<StyleKey>(STYLE_KEYS)

/**
 * The one message that the page sends to the frame's window, with a `MessagePort`; from then on both speak by
 * the port. `protocol` is read first, so that a frame of another version can still say so.
 */
export const Welcome = v.strictObject({
  channel: v.literal('widget.svc'),
  protocol: v.number(),
  widget_id: v.pipe(v.string(), v.uuid()),
  ref_id: v.string(),
  texts: Texts,
  styles: Styles,
})
export type Welcome = v.InferOutput<typeof Welcome>

/** What the page may tell the frame by the port, once it is welcome. */
export const Command = v.variant('command', [
  v.strictObject({ command: v.literal('set_texts'), texts: Texts }),
  v.strictObject({ command: v.literal('set_styles'), styles: Styles }),
  v.strictObject({ command: v.literal('set_ref_id'), ref_id: v.string() }),
])
export type Command = v.InferOutput<typeof Command>
