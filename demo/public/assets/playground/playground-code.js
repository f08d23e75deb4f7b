/** A value as a person writes it: single quotes, no quotes around keys that need none. */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${written(item)}`)
  return `{ ${entries.join(', ')} }`
}

/** The form's iframe in a page's own HTML, as `frameHtml()` of `@svc/server` writes it; `shown` is the one in this page. */
export function frameHtmlOf(shown, isCustomised) {
  const address = shown.src.replace(/#.*/, '').replaceAll('&', '&amp;') + (isCustomised ? '#late' : '')
  return [
    `<iframe src="${address}"`,
    `title="Card details" sandbox="${shown.sandbox}" allow="" referrerpolicy="no-referrer"`,
    `width="100%" height="${parseInt(shown.style.height, 10)}" frameborder="0" align="top"></iframe>`,
  ].join('\n    ')
}

/** What a merchant puts into a page to get the same form; `early`: the iframe in its container, or ''. */
export function codeOf(script, publicKey, gatewayId, calls, early) {
  const lines = calls.map(({ method, given }) => `  widget.${method}(${given.map(written).join(', ')})`)
  return [
    early === '' ? '<div id="card"></div>' : `<div id="card">\n  ${early}\n</div>`,
    '<form><input type="hidden" name="payment_source"></form>',
    `<script src="${script}"></` + 'script>',
    '<script>',
    `  const widget = new svc.HtmlWidget('#card', ${written(publicKey)}, ${written(gatewayId)})`,
    ...lines,
    '  widget.useAutoResize()',
    `  widget.onFinishInsert('input[name="payment_source"]', 'payment_source')`,
    '  widget.load()',
    '</' + 'script>',
  ].join('\n')
}
