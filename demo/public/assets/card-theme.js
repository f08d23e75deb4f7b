/** The shop's CSS variable for each style of the card form. */
const COLOURS = {
  background_color: '--sheet',
  field_color: '--paper',
  text_color: '--ink',
  border_color: '--quiet',
  button_color: '--accent',
  error_color: '--bad',
  success_color: '--good',
}

/** Gives the card form the shop's colours, now and whenever the colour scheme changes. */
export function followTheme(widget) {
  const applyColours = () => {
    const style = window.getComputedStyle(document.documentElement)
    const colour = ([key, variable]) => [key, style.getPropertyValue(variable).trim()]
    widget.setStyles(Object.fromEntries(Object.entries(COLOURS).map(colour)))
  }
  applyColours()
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyColours)
}
