/** What could end a declaration, or bring in something from elsewhere. */
const UNWANTED = /[;{}\\@]|url|var\(|env\(|image/i

/**
 * A size of text kept within what can be read and fits, so that one wrong value doesn't blow the form up. A size by name
 * can't stand in `clamp`, and can't be wrong by much either.
 */
export function boundedFontSize(value: string): string {
  const bounded = `clamp(8px, ${value}, 48px)`
  return CSS.supports('font-size', bounded) ? bounded : value
}

/** Whether the browser takes a text as a value of a property, and nothing more than a value is in it. */
export function isCssValue(property: string, value: string): boolean {
  return !UNWANTED.test(value) && CSS.supports(property, value)
}
