import { LINE_FIELDS, shownFieldsOf } from '../../contract/page/fields/form-fields.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { HALF_FIELDS, SHORT_FIELDS } from '../../contract/page/fields/half-fields.ts'
import type { Theme } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

/** What is known of a form before its document is there, in CSS pixels. */
export interface FormLayout {
  /** 0: that of its container, whatever it becomes. */
  height: number
  /** Around all of its content. */
  padding: number
  /** The frame gets no wider; null: as wide as its container. */
  maxWidth: number | null
  /** Where its texts, inputs and button stand within the padding. */
  bars: readonly Bar[]
  /** Whether it looks as its document was built, which then shows before it has its settings. */
  isAsBuilt: boolean
}

/** A grey bar of the skeleton. */
interface Bar {
  top: number
  height: number
  /** Where lines of text end, not where they begin. */
  isAtEnd?: boolean
  /** A size of CSS. */
  width: string
}

/** A line of the form: its height, and where in it inputs or the button begin. */
interface Line {
  height: number
  bar?: number
  /** Two inputs share the line. */
  isShared?: boolean
  /** Height of the bar, where it is none of one input. */
  box?: number
}

/** What a checkout has above its form. */
interface BillLayout {
  /** Characters of the description, wide ones as two; 0 without one. */
  description: number
}

/** As the form's style sheet has them, with its built-in fonts: `e2e/form/layout-shift.spec.ts` measures them in a browser. */
const LINE = 1.4
const LABEL_GAP = 6
/** Sizes of labels and notes, in the form's font size. */
const TEXT = { label: 0.875, note: 0.8125 }
const HINT_GAP = 4
const BACKGROUND_PADDING = 16
const GAP_BETWEEN = 12
/** Least width of an input that shares its line, in the form's font size. */
const MIN_SHORT = 7
const MIN_HALF = 9.5
/** Least width of the card's box with all of its inputs side by side: in the form's font size, and in px. */
const MIN_LINE = { em: 28, px: 448 }
/** Padding of the button, without its borders. */
const BUTTON_PADDING = 20
/** As `checkout.css` has them: sizes in the form's font size, gaps in px. */
const BILL = { merchant: 1.4, total: 2.625, note: 1.3125, merchantGap: 4, gap: 20 }
/** Greatest width of a checkout, in the form's font size. */
const MAX_CHECKOUT = 30
/** The part of a line of the bill that its bar takes, and the widths of the bars in the form's font size. */
const TEXT_BAR = { share: 0.6, merchant: 8, total: 6, note: 11 }
/** Mean width of a character of the description, in the form's font size. */
const CHARACTER = 0.5
const NO_BILL = { height: 0, bars: [], isAsBuilt: true }
/** The width that is assumed while the container is hidden. */
const USUAL_WIDTH = 400
/** Font sizes of the title, the headings that browsers give to h1 to h6, and the description, in the form's own. */
const TITLES = [
  ['title', 1.25],
  ['title_h1', 2],
  ['title_h2', 1.5],
  ['title_h3', 1.17],
  ['title_h4', 1],
  ['title_h5', 0.83],
  ['title_h6', 0.67],
  ['title_description', 1],
] as const

interface Metrics {
  font: number
  input: number
  gap: number
  border: number
  label: number
  note: number
}

const METRICS: Pick<Metrics, 'font' | 'input' | 'gap' | 'border'> = {
  font: 16,
  input: 48,
  gap: 16,
  border: 1,
}
const THEME_METRICS: Partial<Record<Theme, Partial<Metrics>>> = {
  soft: { input: 52 },
  outline: { border: 2 },
  compact: { font: 14, input: 38, gap: 10 },
}

/**
 * Where a form of these settings will have its parts in a frame of this width, so that the page does not move later. With a `bill`
 * it is the form of a checkout.
 */
export function layoutOf(settings: WidgetSettings, width: number, bill?: BillLayout): FormLayout {
  const metrics = metricsOf(settings)
  const padding = settings.styles?.background_color === undefined ? 0 : BACKGROUND_PADDING
  const maxWidth = bill === undefined ? null : MAX_CHECKOUT * metrics.font
  const room = roomIn(width, maxWidth) - 2 * padding
  const above = bill === undefined ? NO_BILL : billLayout(bill, metrics.font, room)
  const bars: Bar[] = [...above.bars]
  let top = above.height - metrics.gap
  for (const { height, bar, isShared = false, box = metrics.input } of linesOf(settings, metrics, room)) {
    top += metrics.gap
    if (bar !== undefined) {
      const width = isShared ? `calc(50% - ${padding + GAP_BETWEEN / 2}px)` : `calc(100% - ${2 * padding}px)`
      const input = { top: top + bar, height: box, width }
      bars.push(input, ...(isShared ? [{ ...input, isAtEnd: true }] : []))
    }
    top += height
  }
  const isAsBuilt = above.isAsBuilt && looksAsBuilt(settings)
  return { height: Math.ceil(top + 2 * padding), padding, maxWidth, bars, isAsBuilt }
}

function metricsOf(settings: WidgetSettings): Metrics {
  const { styles = {}, theme = 'plain' } = settings
  const of = { ...METRICS, ...THEME_METRICS[theme] }
  const font = pixelsOf(styles.font_size) ?? of.font
  return {
    font,
    input: pixelsOf(styles.field_height) ?? of.input,
    gap: pixelsOf(styles.spacing) ?? of.gap,
    border: pixelsOf(styles.border_width) ?? of.border,
    label: pixelsOf(styles.label_size) ?? TEXT.label * font,
    note: pixelsOf(styles.note_size) ?? TEXT.note * font,
  }
}

function roomIn(width: number, maxWidth: number | null): number {
  return Math.min(width > 0 ? width : USUAL_WIDTH, maxWidth ?? Infinity)
}

/** Merchant, amount and description above a checkout's form. */
function billLayout(
  { description }: BillLayout,
  font: number,
  width: number,
): Omit<FormLayout, 'padding' | 'maxWidth'> {
  const lines = Math.ceil((description * CHARACTER * font) / width)
  const parts = (['merchant', 'total', 'note'] as const).slice(0, description > 0 ? 3 : 2)
  let top = 0
  const bars = parts.map((part): Bar => {
    const line = BILL[part] * font
    const height = line * TEXT_BAR.share
    const bar = { top: top + (line - height) / 2, height, width: `${TEXT_BAR[part] * font}px` }
    top += line + (part === 'merchant' ? BILL.merchantGap : 0)
    return bar
  })
  const more = Math.max(0, lines - 1) * BILL.note * font
  // As it is built, a checkout has one line for the description.
  return { height: top + more + BILL.gap, bars, isAsBuilt: lines === 1 }
}

function linesOf(settings: WidgetSettings, metrics: Metrics, width: number): Line[] {
  const { font, input, border } = metrics
  const { texts = {}, hidden = [] } = settings
  const titles = TITLES.filter(([name]) => texts[name]).map(([, size]) => ({ height: font * size * LINE }))
  const button = hidden.includes('submit_button')
    ? []
    : [{ height: Math.max(input, font * LINE + BUTTON_PADDING + 2 * border), bar: 0 }]
  return [...titles, ...fieldLines(settings, metrics, width), ...button]
}

function fieldLines(settings: WidgetSettings, metrics: Metrics, width: number): Line[] {
  const { font, input } = metrics
  const lines: (Line & { hasRoom: boolean })[] = []
  const label = metrics.label * LINE + LABEL_GAP
  const hint = HINT_GAP + metrics.note * LINE
  const isLine = settings.layout === 'line'
  for (const field of shownFieldsOf(settings)) {
    if (isLine && LINE_FIELDS.includes(field)) {
      if (field === 'card_number') lines.push({ ...cardBox(metrics, width, label, hint), hasRoom: false })
      continue
    }
    const min = minWidthOf(field)
    const isHalf = min !== null && 2 * min * font + GAP_BETWEEN <= width
    const height = label + input + (field === 'card_ccv' ? hint : 0)
    const last = lines.at(-1)
    if (isHalf && last?.hasRoom === true) {
      last.height = Math.max(last.height, height)
      last.hasRoom = false
      last.isShared = true
    } else lines.push({ height, bar: label, hasRoom: isHalf })
  }
  return lines
}

/** The card in one box, with its label above and a hint below. */
function cardBox({ font, input, border }: Metrics, width: number, label: number, hint: number) {
  const isOneLine = width >= Math.max(MIN_LINE.em * font, MIN_LINE.px)
  const box = isOneLine ? input : 2 * input - border
  return { height: label + box + hint, bar: label, box }
}

function minWidthOf(field: FieldName): number | null {
  if (SHORT_FIELDS.includes(field)) return MIN_SHORT
  return HALF_FIELDS.includes(field) ? MIN_HALF : null
}

/** A merchant's size, if it is in pixels. */
function pixelsOf(size = ''): number | undefined {
  const [, pixels] = /^(\d+(?:\.\d+)?)px$/.exec(size) ?? []
  return size === '0' ? 0 : pixels === undefined ? undefined : Number(pixels)
}

/** Settings that do not show when the form appears: its document comes in its language. */
const UNSEEN: readonly string[] = [
  'language',
  'ref_id',
  'return_url',
  'meta',
  'only_supported',
  'auto_advance',
  'values',
] satisfies (keyof WidgetSettings)[]

/** Whether a form of these settings looks as its document was built, so that it can be shown before it has them. */
export function looksAsBuilt(settings: WidgetSettings): boolean {
  return Object.entries(settings).every(([name, value]) => UNSEEN.includes(name) || isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys({ ...value }).length === 0
}
