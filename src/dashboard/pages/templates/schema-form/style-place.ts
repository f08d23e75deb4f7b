import { propertyOfStyle } from '../../../../contract/page/widget-appearance.ts'

/** Groups of a template whose texts are values of CSS properties. */
const STYLES = /\.styles\.([a-z_]+)$/

/** Whether a place of a template holds a value of CSS. */
export function isStyle(path: string): boolean {
  return STYLES.test(path)
}

/** The CSS property that a value must be valid for, as the form checks it too. */
export function propertyAt(path: string): string {
  return propertyOfStyle(STYLES.exec(path)?.[1] ?? '')
}

/** Whether it is a colour. */
export function isColour(path: string): boolean {
  return path.endsWith('color')
}

interface Pair {
  /** Where the colour behind it is set. */
  background: string
  /** The least contrast that WCAG 2.2 asks for: 1.4.3 of texts, 1.4.11 of borders and buttons. */
  min: number
}

/** Colours of shapes, and not of text. */
const SHAPES = ['border_color', 'focus_color', 'button_color']

/** What a colour must contrast with; null for a background, and for anything but a colour. */
export function contrastPairOf(path: string): Pair | null {
  const name = STYLES.exec(path)?.[1] ?? ''
  if (!isColour(path) || name.startsWith('background') || name === 'field_color') return null
  const background = path.replace(name, 'background_color')
  return { background, min: SHAPES.includes(name) ? 3 : 4.5 }
}
