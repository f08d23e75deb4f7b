import { askShop } from '../ask-shop.js'
import { codeOf, frameHtmlOf } from './playground-code.js'
import { callsOf, changedCalls, COLOURS, FIELDS, SCHEMES } from './playground-options.js'

const MAX_EVENTS = 100
/** What a page hears while a bank asks. */
const BANK_EVENTS = [
  'chargeAuthInfo',
  'chargeAuthSuccess',
  'chargeAuthReject',
  'chargeAuthCancelled',
  'error',
]
const part = (id) => document.querySelector(`#${id}`)
const form = part('options')
const { publicKey, gatewayId } = document.querySelector('.playground').dataset
const script = document.querySelector('script[src*="/sdk/"]').src

function make(name, attributes, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** A labelled checkbox for each name, such as `field_email` or `scheme_visa`. */
function addTicks(container, prefix, names) {
  const tick = ([name, words]) =>
    make(
      'label',
      { class: 'tick' },
      make('input', { type: 'checkbox', name: `${prefix}_${name}` }),
      ` ${words}`,
    )
  part(container).append(...Object.entries(names).map(tick))
}

/** A checkbox and a colour input for each colour. A colour input always has a value, so the checkbox says whether to use it. */
function addColours() {
  for (const [name, value] of COLOURS) {
    const use = make('input', { type: 'checkbox', name: `use_${name}`, 'aria-label': `Own ${name} colour` })
    const colour = make('input', { type: 'color', name, value, 'aria-label': `${name} colour` })
    colour.addEventListener('input', () => (use.checked = true))
    part('colours').append(make('span', { class: 'swatch' }, use, colour, ` ${name}`))
  }
}

/** `name: value` for each field of an event: lists with commas, and the fields of an object indented. */
const linesOf = (fields, indent = '') =>
  Object.entries(fields)
    .map(([name, value]) => `${indent}${name}:${written(value, `${indent}  `)}`)
    .join('\n')

function written(value, indent) {
  if (Array.isArray(value)) return ` ${value.length === 0 ? '–' : value.join(', ')}`
  if (typeof value === 'object' && value !== null) return `\n${linesOf(value, indent)}`
  return ` ${value === '' ? '–' : String(value)}`
}

/** Fields of every event, which are not shown. */
const ALWAYS = ['event', 'message_source', 'purpose', 'widget_id']

function showEvent(told) {
  const fields = Object.fromEntries(Object.entries(told).filter(([key]) => !ALWAYS.includes(key)))
  const time = new Date().toLocaleTimeString('en-AU')
  part('events').prepend(
    make('li', {}, make('b', {}, told.event), ` ${time}`, make('code', {}, linesOf(fields))),
  )
  part('events').children.item(MAX_EVENTS)?.remove()
  part('no-events').hidden = true
}

/** Has the shop's server hold a lamp's price with the form's token, and shows what the card's bank asks. */
async function letBankAsk(payment_source, dress) {
  const order = { checkout: crypto.randomUUID(), item: 'dusk-lamp', quantity: '1', payment_source }
  const say = (words) => (part('bank-says').textContent = words)
  part('authenticate').disabled = true
  const { answer } = await askShop('/api/orders', order)
  if (!answer.asks) return say(answer.placed ? 'The bank has no question about this card.' : answer.message)
  const prepare = (canvas) => {
    for (const name of BANK_EVENTS) canvas.on(name, showEvent)
    dress(canvas)
  }
  const { status } = await svc.authenticate(answer.asks, { prepare })
  return say(`The bank’s answer: ${status}`)
}

function start() {
  const plain = callsOf(form)
  let shown = plain
  const widget = new svc.HtmlWidget('#card', publicKey, gatewayId)
  for (const name of Object.values(svc.EVENT)) widget.on(name, showEvent)

  const follow = () => {
    const now = callsOf(form)
    const changed = changedCalls(now, shown)
    for (const { method, given } of changed) widget[method](...given)
    shown = now
    const calls = changedCalls(now, plain)
    const frame = form.elements.early.checked ? part('card').querySelector('iframe') : null
    const early = frame ? frameHtmlOf(frame, calls.length > 0) : ''
    // Only the very release of the frame adopts it.
    const address = frame ? script.replace('/latest/', frame.src.match(/\/v[\d.]+\//)[0]) : script
    part('code').textContent = codeOf(address, publicKey, gatewayId, calls, early)
  }
  form.addEventListener('input', follow)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('reset', () => location.reload())
  document.addEventListener('click', ({ target }) => {
    const { call } = target.dataset
    if (call) Promise.resolve(widget[call]()).catch(() => undefined) // The event says it.
  })
  let token = ''
  widget.on('finish', ({ payment_source }) => {
    token = payment_source
    part('authenticate').disabled = !svc.authenticate
  })
  part('authenticate').addEventListener('click', () =>
    letBankAsk(token, (canvas) =>
      canvas.setTheme(form.elements.theme.value).setLanguage(form.elements.language.value),
    ).catch((error) => (part('bank-says').textContent = error.message)),
  )
  follow()
  widget.useAutoResize().load()
}

/** A form in each theme. They are loaded when they are first shown, with the options at that moment. */
function compareThemes() {
  for (const { value } of form.elements.theme.options) {
    const place = make('div', {})
    part('themes')
      .querySelector('.themes')
      .append(make('section', {}, make('h3', {}, value), place))
    const widget = new svc.HtmlWidget(place, publicKey, gatewayId)
    for (const { method, given } of callsOf(form)) widget[method](...given)
    widget.setTheme(value).useAutoResize().load()
  }
}

part('copy').addEventListener('click', async () => {
  await window.navigator.clipboard.writeText(part('code').textContent)
  part('copied').textContent = 'Copied'
})
part('forget').addEventListener('click', () => {
  part('events').replaceChildren()
  part('no-events').hidden = false
})
addTicks('fields', 'field', FIELDS)
addTicks('schemes', 'scheme', SCHEMES)
addColours()
part('themes').addEventListener('toggle', compareThemes, { once: true })
if (window.svc) start()
else part('no-events').textContent = 'The card form could not be loaded. Load this page again.'
