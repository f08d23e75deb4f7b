import * as v from 'valibot'
import { WidgetSettings } from '../../page/widget-settings.ts'

/**
 * In place of a merchant's public key: the card form is shown as it would be, and can send nothing. No key of a merchant reads
 * so, and no route takes it for one.
 */
export const PREVIEW_KEY = 'preview'

/** What of a form's settings comes from templates. */
export const PreviewSettings = v.pick(WidgetSettings, [
  'texts',
  'styles',
  'element_styles',
  'theme',
  'layout',
  'language',
  'fields',
  'card_icons',
  'only_supported',
])
export type PreviewSettings = v.InferOutput<typeof PreviewSettings>

/** From the dashboard to the preview's document: how the form is to look now. */
export const PreviewCommand = v.strictObject({
  channel: v.literal('preview.svc'),
  settings: PreviewSettings,
})
export type PreviewCommand = v.InferOutput<typeof PreviewCommand>

/** From the preview's document to the dashboard. */
export const PreviewReport = v.variant('state', [
  /** It waits for its first settings. */
  v.strictObject({ channel: v.literal('preview.svc'), state: v.literal('ready') }),
  /** The form is shown; the document needs this height, in CSS pixels. */
  v.strictObject({
    channel: v.literal('preview.svc'),
    state: v.literal('shown'),
    height: v.pipe(v.number(), v.minValue(0), v.maxValue(10_000)),
  }),
  /** The form could not be shown. */
  v.strictObject({
    channel: v.literal('preview.svc'),
    state: v.literal('failed'),
    message: v.pipe(v.string(), v.maxLength(500)),
  }),
])
export type PreviewReport = v.InferOutput<typeof PreviewReport>
