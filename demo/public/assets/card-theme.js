/** Which colour of the shop goes to which style of the card form. */
const COLOURS = {
  background_color: '--sheet',
  background_active_color: '--paper',
  text_color: '--ink',
  border_color: '--quiet',
  button_color: '--accent',
  error_color: '--bad',
  success_color: '--good',
}

/** Dresses the card form in the shop's colours, and again when day turns to night. */
export function followTheme(widget) {
  const dress = () => {
    const style = window.getComputedStyle(document.documentElement)
    const colour = ([key, variable]) => [key, style.getPropertyValue(variable).trim()]
    widget.setStyles(Object.fromEntries(Object.entries(COLOURS).map(colour)))
  }
  dress()
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', dress)
}
