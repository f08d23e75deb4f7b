/** What could end a declaration, or bring in something from elsewhere. */
const UNWANTED = /[;{}\\@]|url|var\(|env\(|image/i

/** Whether the browser takes a text as a value of a property, and nothing more than a value is in it. */
export function isCssValue(property: string, value: string): boolean {
  return !UNWANTED.test(value) && CSS.supports(property, value)
}
