import type { Page } from '@playwright/test'

/** Widths of texts, in px at a size of 100 px, where system-ui is DejaVu Sans 2.37, as in Debian bookworm with fonts-dejavu-core. */
const KEPT_WIDTHS = { latin: 1902, digits: 1328, bold: 1009, arabic: 497 }

/** Why pictures made on this machine can't be compared with the kept ones; null where its fonts are the same. */
export async function otherFontsOf(page: Page): Promise<string | null> {
  const widths = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    const widthOf = (font: string, text: string) => {
      if (context === null) return 0
      context.font = font
      return Math.round(context.measureText(text).width)
    }
    return {
      latin: widthOf('100px system-ui', 'Security code: Größe, façade, número'),
      digits: widthOf('100px system-ui', '0123456789 •••• MM / YY'),
      bold: widthOf('bold 100px system-ui', 'Payment received'),
      arabic: widthOf('100px system-ui', 'رقم البطاقة'),
    }
  })
  const isSame = JSON.stringify(widths) === JSON.stringify(KEPT_WIDTHS)
  return isSame
    ? null
    : 'The kept pictures are made with the fonts of Debian bookworm (fonts-dejavu-core 2.37), and this machine has others: nothing was ' +
        `compared. See e2e/screens/README.md. Widths here: ${JSON.stringify(widths)}`
}
