/** Characters that could end a declaration or disguise a function's name. */
const FORBIDDEN = /[;{}\\@]|\/\*/
const functionName = /([^\s(),/*+]*)\(/g
/** Functions that only compute from their arguments (CSS Values 4, Color 5, Easing 2): none loads or reads anything. */
const FUNCTIONS =
  /^(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|calc|min|max|clamp|round|cubic-bezier|steps|linear|)$/i

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
  const names = Array.from(value.matchAll(functionName), ([, name = '']) => name)
  return (
    !FORBIDDEN.test(value) && names.every((name) => FUNCTIONS.test(name)) && CSS.supports(property, value)
  )
}
