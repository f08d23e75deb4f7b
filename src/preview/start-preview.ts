import type { HtmlWidget } from '../sdk/html-widget.ts'
import * as v from 'valibot'
import { PreviewCommand } from '../contract/dashboard/templates/template-preview.ts'
import type { PreviewReport, PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'
import { ELEMENT_PROPERTIES, STYLE_KEYS, TEXT_KEYS } from '../contract/page/widget-appearance.ts'
import type { FieldName } from '../sdk/settings/form-elements.ts'

interface PreviewParts {
  window: Window & typeof globalThis
  /** The dashboard's origin: the only one that may frame this document, and that it listens to. */
  dashboard: string
  /** A card form in the document, which is not loaded yet. */
  createWidget: () => HtmlWidget
}

/** Shows the card form by the settings that the dashboard sends, each time that it sends some. */
export function startPreview({ window, dashboard, createWidget }: PreviewParts): void {
  const { report, listen } = openDashboardChannel(window, dashboard)
  const { body } = window.document
  const tellHeight = () => report({ state: 'shown', height: Math.ceil(body.getBoundingClientRect().height) })
  const show = createShownForm(createWidget, {
    shown: tellHeight,
    failed: (message) => report({ state: 'failed', message }),
  })
  listen(({ settings }) => show(settings))
  new window.ResizeObserver(tellHeight).observe(body)
  report({ state: 'ready' })
}

type WithoutChannel<Message> = Message extends unknown ? Omit<Message, 'channel'> : never

interface DashboardChannel {
  report: (report: WithoutChannel<PreviewReport>) => void
  /** Ignores messages that are not the dashboard's, or no commands. */
  listen: (hear: (command: PreviewCommand) => void) => void
}

/** Speaks with the dashboard, whose page frames this document. */
function openDashboardChannel(window: Window, dashboard: string): DashboardChannel {
  const { parent } = window
  return {
    report: (report) => parent.postMessage({ channel: 'preview.svc', ...report }, dashboard),
    listen: (hear) =>
      window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
        if (source !== parent || origin !== dashboard) return
        const command = v.safeParse(PreviewCommand, data)
        if (command.success) hear(command.output)
      }),
  }
}

interface Outcome {
  shown: () => void
  failed: (message: string) => void
}

/**
 * Keeps one card form in step with settings. What is added or changed it takes at once; but it has no methods to take a setting back, so
 * for that a new form is made in its place.
 */
function createShownForm(
  createWidget: () => HtmlWidget,
  { shown, failed }: Outcome,
): (settings: PreviewSettings) => void {
  let form: HtmlWidget | null = null
  let before: PreviewSettings = {}
  return (settings) => {
    const needsNewForm = form === null || takesAway(before, settings)
    if (needsNewForm) form?.destroy()
    const current = needsNewForm || form === null ? createWidget().useAutoResize() : form
    applySettings(current, settings)
    form = current
    before = settings
    if (!needsNewForm) return
    current.load().then(shown, (error: unknown) => {
      if (form === current) failed(error instanceof Error ? error.message : String(error))
    })
  }
}

/** Whether settings leave something unsaid that others say, such as a colour, a field or an element's style. */
export function takesAway(before: PreviewSettings, after: PreviewSettings): boolean {
  const said = new Set(placesOf(after))
  return placesOf(before).some((place) => !said.has(place))
}

function placesOf({ texts, styles, element_styles = [], ...others }: PreviewSettings): string[] {
  const named = (group: string, values: object = {}) => Object.keys(values).map((name) => `${group}.${name}`)
  const elements = element_styles.flatMap(({ element, state = '', styles: properties }) =>
    named(`${element}:${state}`, properties),
  )
  const single = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return [...named('texts', texts), ...named('styles', styles), ...elements, ...single]
}

/** Sets on a card form what the settings say, by the methods that a merchant's page has. */
function applySettings(form: HtmlWidget, settings: PreviewSettings): void {
  const { texts = {}, styles = {}, element_styles = [], theme, layout, language } = settings
  for (const [key, text] of entriesIn(TEXT_KEYS, texts)) form.setText(key, text)
  for (const [key, value] of entriesIn(STYLE_KEYS, styles)) form.setStyle(key, value)
  for (const { element, state, styles: properties } of element_styles) {
    for (const [property, value] of entriesIn(ELEMENT_PROPERTIES, properties))
      form.setElementStyle(element, state, { [property]: value })
  }
  if (theme) form.setTheme(theme)
  if (layout) form.setLayout(layout)
  if (language) form.setLanguage(language)
  applyCard(form, settings)
}

function applyCard(form: HtmlWidget, { fields, card_icons, only_supported }: PreviewSettings): void {
  if (fields)
    form.setFormFields(fields.map(({ field, required }): FieldName => (required ? `${field}*` : field)))
  if (card_icons) form.setSupportedCardIcons(card_icons, only_supported)
}

/** The entries that have a value, under those keys. */
function entriesIn<Key extends string>(
  keys: readonly Key[],
  values: Readonly<Partial<Record<Key, string | undefined>>>,
): (readonly [Key, string])[] {
  return keys.flatMap((key) => {
    const value = values[key]
    return value === undefined ? [] : [[key, value] as const]
  })
}
