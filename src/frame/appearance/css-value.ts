import { isValueText } from '../../contract/page/value-text.ts'

/**
 * Limits a font size to a readable range, so that one wrong value does not break the layout. A named size can't be used in
 * `clamp`, and is in range anyway.
 */
export function boundedFontSize(value: string): string {
  const bounded = `clamp(8px, ${value}, 48px)`
  return CSS.supports('font-size', bounded) ? bounded : value
}

/** Whether a text is a valid value of a CSS property, and nothing but a value. */
export function isCssValue(property: string, value: string): boolean {
  return isValueText(value) && CSS.supports(property, value)
}
