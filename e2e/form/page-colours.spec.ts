import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from '../pages/open-form.ts'
import { demoKeys } from '../world/merchant-page.ts'

/** Backgrounds as a browser reports them to a script, and whether the form on them is light or dark. */
const BACKGROUNDS = {
  'rgb(20, 20, 30)': 'dark',
  'rgba(0, 0, 0, 0.2)': 'light',
  'oklch(0.2 0.02 260)': 'dark',
  'oklch(0.2 0.02 260 / 0.2)': 'light',
  'oklch(0.2 none none)': 'dark',
  'oklch(0.97 0.01 80)': 'light',
  'oklab(0.2 -0.01 0.00001)': 'dark',
  'lab(20 -3.5 -7)': 'dark',
  'lch(97 1 80)': 'light',
  'color-mix(in srgb, black, navy)': 'dark',
  'color(display-p3 1 1 0.9)': 'light',
} as const

test(
  'the form is dark on a dark page, however its colour is written',
  { tag: LONG },
  async ({ form, page }) => {
    await expect(form.number).toBeVisible()
    const shown: Record<string, unknown> = {}
    for (const background of Object.keys(BACKGROUNDS))
      shown[background] = await page.evaluate(`(() => {
      document.body.style.backgroundColor = ${JSON.stringify(background)}
      document.querySelector('#card').replaceChildren()
      const widget = new svc.HtmlWidget('#card', '${demoKeys().public_key}')
      widget.load().catch(() => undefined)
      const { colorScheme } = document.querySelector('#card iframe').style
      widget.destroy()
      return colorScheme
    })()`)
    expect(shown).toEqual(BACKGROUNDS)
  },
)
