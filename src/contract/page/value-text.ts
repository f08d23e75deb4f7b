/** Characters that could end a declaration or disguise a function's name. */
const FORBIDDEN = /[;{}\\@]|\/\*/
/** A word, or the beginning of a function. */
const words = /[^\s(),/*+]+\(?|\(/g
/** Functions that only compute from their arguments (CSS Values 4, Color 5, Easing 2): none loads or reads anything. */
const FUNCTIONS =
  /^(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|calc|min|max|clamp|round|cubic-bezier|steps|linear|)\($/i

/** Whether the text of a style may be a CSS value, and nothing but a value: of which property a browser takes it, it alone knows. */
export function isValueText(text: string): boolean {
  const isTaken = (word: string) => !word.endsWith('(') || FUNCTIONS.test(word)
  return !FORBIDDEN.test(text) && (text.match(words) ?? []).every(isTaken)
}
