import { isValueText } from '../../../../contract/page/value-text.ts'

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i

/** A colour in any notation of CSS; null for a transparent one, and for what no template may hold. */
export function parseColour(text: string, page: Document): Colour | null {
  const trimmed = text.trim()
  return HEX.test(trimmed) ? hexColour(trimmed.slice(1)) : paintedColour(trimmed, page)
}

function hexColour(digits: string): Colour {
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  return [parseInt(long.slice(0, 2), 16), parseInt(long.slice(2, 4), 16), parseInt(long.slice(4), 16)]
}

/** Names, `rgb(…)`, `oklch(…)` and the rest: the browser paints a dot of it, whose pixel is read. */
function paintedColour(text: string, page: Document): Colour | null {
  if (text === '' || !isValueText(text) || !CSS.supports('color', text)) return null
  const canvas = page.createElement('canvas')
  canvas.width = canvas.height = 1
  const pen = canvas.getContext('2d')
  if (pen === null) return null
  pen.fillStyle = text
  pen.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, opacity = 0] = pen.getImageData(0, 0, 1, 1).data
  return opacity === 255 ? [red, green, blue] : null
}

/** `#rrggbb`. */
export function hexOf(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of two colours by WCAG 2.2, 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
