import type { Page } from '@playwright/test'

/**
 * How many pixels of two screenshots of the same place differ by a contrast of 3:1 or more, which WCAG 2.2 (2.4.13) regards as
 * visible. Pixels of the screenshot are counted, whatever the device's scale. The comparison runs in an empty page.
 */
export function visibleChange(empty: Page, before: Buffer, after: Buffer): Promise<number> {
  return empty.evaluate(
    countChanged,
    [before, after].map((picture) => `data:image/png;base64,${picture.toString('base64')}`),
  )
}

/** Runs in the browser, which decodes the pictures. */
async function countChanged(pictures: string[]): Promise<number> {
  const pixelsOf = async (source: string): Promise<Uint8ClampedArray> => {
    const image = new Image()
    image.src = source
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas?.drawImage(image, 0, 0)
    return canvas?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray()
  }
  const linear = (value = 0) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminanceAt = (pixels: Uint8ClampedArray, at: number) =>
    0.2126 * linear(pixels[at]) + 0.7152 * linear(pixels[at + 1]) + 0.0722 * linear(pixels[at + 2])
  const [before = new Uint8ClampedArray(), after = before] = await Promise.all(pictures.map(pixelsOf))
  let changed = 0
  for (let at = 0; at < before.length; at += 4) {
    const [one, other] = [luminanceAt(before, at), luminanceAt(after, at)]
    if ((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= 3) changed += 1
  }
  return changed
}
