/**
 * Relative luminance (WCAG 2.2) from which a text must be meant for a dark ground, and below which a ground carries white
 * text better than black.
 */
const LIGHT_TEXT = 0.4
const DARK_GROUND = 0.179

/**
 * The colour scheme that a merchant's colour belongs to, as computed by the browser (`rgb(…)`): light text or a dark
 * ground is `dark`. A colour in another notation, or a ground that is seen through, says nothing: `light dark`.
 */
export function schemeFor(color: { text: string } | { ground: string }): 'light' | 'dark' | 'light dark' {
  const luminance = luminanceOf('text' in color ? color.text : color.ground)
  if (luminance === null) return 'light dark'
  return ('text' in color ? luminance > LIGHT_TEXT : luminance < DARK_GROUND) ? 'dark' : 'light'
}

function luminanceOf(color: string): number | null {
  const [red, green, blue, alpha] = color.match(/[\d.]+/g)?.map(Number) ?? []
  if (!color.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) return null
  if (alpha !== undefined && alpha < 0.5) return null
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  return (channel / 255) ** 2.2
}
