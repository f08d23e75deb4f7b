/** A value as a person writes it: single quotes, no quotes around keys that need none. */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${written(item)}`)
  return `{ ${entries.join(', ')} }`
}

/** What a merchant puts into a page to get the same form. */
export function codeOf(script, publicKey, gatewayId, calls) {
  const lines = calls.map(({ method, given }) => `  widget.${method}(${given.map(written).join(', ')})`)
  return [
    '<div id="card"></div>',
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
