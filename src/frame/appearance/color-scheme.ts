/**
 * Lightness, 0 to 255, from which a text must be meant for a dark ground, and below which a ground carries white text better
 * than black: relative luminances (WCAG 2.2) of 0.4 and 0.179, before they are made linear.
 */
const LIGHT_TEXT = 168
const DARK_GROUND = 117

/**
 * The colour scheme that a merchant's colour belongs to, as computed by the browser (`rgb(…)`): light text or a dark
 * ground is `dark`. A colour in another notation, or a ground that is seen through, says nothing: `light dark`.
 */
export function schemeFor(color: { text: string } | { ground: string }): 'light' | 'dark' | 'light dark' {
  const lightness = lightnessOf('text' in color ? color.text : color.ground)
  if (lightness === null) return 'light dark'
  return ('text' in color ? lightness > LIGHT_TEXT : lightness < DARK_GROUND) ? 'dark' : 'light'
}

function lightnessOf(color: string): number | null {
  const [red, green, blue, alpha] = color.match(/[\d.]+/g)?.map(Number) ?? []
  if (!color.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) return null
  if (alpha !== undefined && alpha < 0.5) return null
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
