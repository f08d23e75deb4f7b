import type { Page } from '@playwright/test'
import type { CardForm } from './card-form.ts'

/** Colours of a form as CSS, with opacity where they are transparent. */
export type FormColours = Record<
  | 'page'
  | 'label'
  | 'typed'
  | 'field'
  | 'fieldInUse'
  | 'busyTyped'
  | 'busyField'
  | 'placeholder'
  | 'hint'
  | 'fault'
  | 'button'
  | 'hoveredButton'
  | 'buttonText'
  | 'finishedButton'
  | 'finishedText'
  | 'border'
  | 'faultBorder'
  | 'ring'
  | 'picture',
  string
>

/** The colours of a form whose number has an error and whose name has the focus; its code has neither. */
export async function coloursOf({ code, name }: CardForm): Promise<Omit<FormColours, 'page'>> {
  await name.evaluate((input) => input.removeAttribute('aria-invalid'))
  await name.focus()
  return code.evaluate((input) => {
    const part = (selector: string) => {
      const found = document.querySelector(selector)
      if (found === null) throw new Error(`the form has no ${selector}`)
      return getComputedStyle(found)
    }
    const seenThrough = (colour: string, opacity: string) =>
      `color-mix(in srgb, ${colour} ${String(Number(opacity) * 100)}%, transparent)`
    const { color, backgroundColor, borderTopColor } = getComputedStyle(input)
    const placeholder = getComputedStyle(input, '::placeholder')
    const form = document.querySelector('form')
    const button = document.querySelector('button')
    const inUse = part('#card_name')
    const ring = inUse.outlineColor
    const fieldInUse = inUse.backgroundColor
    const { backgroundColor: buttonColour, color: buttonText } = part('button')
    const darker = (colour: string) => `color-mix(in srgb, ${colour} 93%, black)`
    form?.setAttribute('aria-busy', 'true')
    const busy = part('#card_ccv').opacity
    const box = part('.box').opacity
    form?.setAttribute('aria-busy', 'false')
    const className = button?.className ?? ''
    if (button) button.className = 'finished'
    const { backgroundColor: finishedButton, color: finishedText } = part('button')
    if (button) button.className = className
    return {
      label: part('label').color,
      typed: color,
      field: backgroundColor,
      fieldInUse,
      busyTyped: seenThrough(color, String(Number(busy) * Number(box))),
      busyField: seenThrough(backgroundColor, box),
      placeholder: seenThrough(placeholder.color, placeholder.opacity),
      hint: part('.hint').color,
      fault: part('.fault').color,
      button: buttonColour,
      hoveredButton: darker(buttonColour),
      buttonText,
      finishedButton,
      finishedText,
      border: borderTopColor,
      faultBorder: part('#card_number').borderTopColor,
      ring,
      picture: seenThrough(part('.code-place').stroke, part('.code-place').opacity),
    }
  })
}

/** The contrast (WCAG 2.2, 1 to 21) of two colours as the browser paints them; each consists of layers, the lowest first. */
export function contrastOf(page: Page, front: readonly string[], back: readonly string[]): Promise<number> {
  return page.evaluate(
    ([one, other]) => {
      const luminanceOf = (layers: readonly string[]) => {
        const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext(
          '2d',
        )
        if (context === null) throw new Error('this browser paints nothing')
        for (const layer of layers) {
          context.fillStyle = layer
          context.fillRect(0, 0, 1, 1)
        }
        const linear = [...context.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        const [red = 0, green = 0, blue = 0] = linear
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
      return (high + 0.05) / (low + 0.05)
    },
    [front, back] as const,
  )
}
