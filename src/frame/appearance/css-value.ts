/** What could end a declaration, or write a function's name in another way. */
const UNWANTED = /[;{}\\@]|\/\*/
const functionName = /([^\s(),/*+]*)\(/g
/** Functions that reckon with what stands in them alone (CSS Values 4, Color 5, Easing 2): none fetches or looks up. */
const FUNCTIONS =
  /^(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|calc|min|max|clamp|round|cubic-bezier|steps|linear|)$/i

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
  const names = Array.from(value.matchAll(functionName), ([, name = '']) => name)
  return !UNWANTED.test(value) && names.every((name) => FUNCTIONS.test(name)) && CSS.supports(property, value)
}
