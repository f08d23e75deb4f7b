import { shownFieldsOf } from '../../contract/page/form-fields.ts'
import type { FieldName } from '../../contract/page/field-name.ts'
import { HALF_FIELDS, SHORT_FIELDS } from '../../contract/page/half-fields.ts'
import type { Theme } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

/** What is known of a form before its document is there, in CSS pixels. */
export interface FormLayout {
  height: number
  /** Where its inputs and its button stand: tops, all of one height. */
  bars: readonly { top: number; height: number }[]
}

/** A line of the form: its height, and where in it the input or button begins. */
interface Line {
  height: number
  bar?: number
}

/** As the form's style sheet has them, with its built-in fonts: `e2e/form/layout-shift.spec.ts` measures them in a browser. */
const LINE = 1.4
const LABEL_GAP = 6
const HINT = 0.8125 * LINE
const HINT_GAP = 4
const BACKGROUND_PADDING = 16
const ICON = { width: 38 / 24, gap: 6 }
const GAP_BETWEEN = 12
/** Least width of an input that shares its line, in the form's font size. */
const LEAST_SHORT = 7
const LEAST_HALF = 9.5
/** Frames that are narrower have two lines for the hint. */
const ONE_LINE_FROM = 340
/** Padding and borders of the button. */
const BUTTON_PADDING_AND_BORDERS = 22
/** Of a container that is not shown. */
const USUAL_WIDTH = 400
/** Font sizes of the title, the headings that browsers give to h1 to h6, and the description, in the form's own. */
const TITLES = {
  title: 1.25,
  title_h1: 2,
  title_h2: 1.5,
  title_h3: 1.17,
  title_h4: 1,
  title_h5: 0.83,
  title_h6: 0.67,
  title_description: 1,
} as const

interface Metrics {
  font: number
  input: number
  gap: number
  icon: number
}

const METRICS: Metrics = { font: 16, input: 48, gap: 16, icon: 24 }
const THEME_METRICS: Partial<Record<Theme, Partial<Metrics>>> = {
  soft: { input: 52 },
  compact: { font: 14, input: 38, gap: 10, icon: 20 },
}

/** Where a form of these settings will have its parts in a frame of this width, so that the page does not move later. */
export function layoutOf(settings: WidgetSettings, width: number): FormLayout {
  const room = width > 0 ? width : USUAL_WIDTH
  const metrics = { ...METRICS, ...THEME_METRICS[settings.theme ?? 'plain'], ...fontOf(settings) }
  const padding = settings.styles?.background_color === undefined ? 0 : BACKGROUND_PADDING
  let top = padding - metrics.gap
  const bars: FormLayout['bars'][number][] = []
  for (const { height, bar } of linesOf(settings, metrics, room - 2 * padding)) {
    top += metrics.gap
    if (bar !== undefined) bars.push({ top: top + bar, height: metrics.input })
    top += height
  }
  return { height: Math.ceil(top + padding), bars }
}

function linesOf(settings: WidgetSettings, metrics: Metrics, width: number): Line[] {
  const { font, input, icon } = metrics
  const { texts = {}, card_icons = [], hidden = [] } = settings
  const titles = Object.entries(TITLES).flatMap(([name, size]) =>
    Object.entries(texts).some(([key, text]) => key === name && text !== '')
      ? [{ height: font * size * LINE }]
      : [],
  )
  const iconsInLine = Math.max(1, Math.floor((width + ICON.gap) / (icon * ICON.width + ICON.gap)))
  const iconLines = Math.ceil(card_icons.length / iconsInLine)
  const icons = iconLines === 0 ? [] : [{ height: iconLines * (icon + ICON.gap) - ICON.gap }]
  const button = hidden.includes('submit_button')
    ? []
    : [{ height: Math.max(input, font * LINE + BUTTON_PADDING_AND_BORDERS), bar: 0 }]
  return [...titles, ...icons, ...fieldLines(settings, metrics, width), ...button]
}

function fieldLines(settings: WidgetSettings, { font, input }: Metrics, width: number): Line[] {
  const lines: (Line & { hasRoom: boolean })[] = []
  const label = font * 0.875 * LINE + LABEL_GAP
  const oneLineFrom = ONE_LINE_FROM * Math.max(1, font / METRICS.font)
  const hint = HINT_GAP + font * HINT * (width < oneLineFrom ? 2 : 1)
  for (const field of shownFieldsOf(settings)) {
    const least = leastWidthOf(field)
    const isHalf = least !== null && 2 * least * font + GAP_BETWEEN <= width
    const height = label + input + (field === 'card_ccv' ? hint : 0)
    const last = lines.at(-1)
    if (isHalf && last?.hasRoom === true) {
      last.height = Math.max(last.height, height)
      last.hasRoom = false
    } else lines.push({ height, bar: label, hasRoom: isHalf })
  }
  return lines
}

function leastWidthOf(field: FieldName): number | null {
  if (SHORT_FIELDS.includes(field)) return LEAST_SHORT
  return HALF_FIELDS.includes(field) ? LEAST_HALF : null
}

/** The merchant's font size, if it is in pixels. */
function fontOf({ styles = {} }: WidgetSettings): Partial<Metrics> {
  const [, font] = /^(\d+(?:\.\d+)?)px$/.exec(styles.font_size ?? '') ?? []
  const [, icon] = /^(\d+(?:\.\d+)?)px$/.exec(styles.icon_size ?? '') ?? []
  return {
    ...(font !== undefined && { font: Number(font) }),
    ...(icon !== undefined && { icon: Number(icon) }),
  }
}
