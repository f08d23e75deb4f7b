const dollars = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' })
const when = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

/** An element with its attributes and children; text is put in as text, never as markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const cell = (label, className, ...children) =>
  make('td', { 'data-label': label, class: className }, ...children)

/**
 * One charge as a row of the table. `act(row, charge, action, body)` is called for Capture and Cancel, which
 * only a charge that is pending has.
 */
export function chargeRow(charge, act) {
  const name = charge.reference ?? charge.id
  const row = make(
    'tr',
    { 'data-charge': charge.id },
    cell(
      'Date',
      'when',
      make('time', { datetime: charge.created_at }, when.format(new Date(charge.created_at))),
    ),
    cell('Order', 'when', name),
    cell('Card', 'when', charge.card),
    cell('Amount', 'number', dollars.format(charge.amount)),
    cell('Status', '', status(charge)),
  )
  const actions = cell('', 'act-cell')
  if (charge.status === 'pending') actions.append(choices(row, charge, name, act))
  row.append(actions)
  return row
}

function status(charge) {
  const badge = make('span', { class: 'badge', 'data-status': charge.status }, charge.status)
  const part = charge.captured !== null && charge.captured !== charge.amount
  const note = part ? `${dollars.format(charge.captured)} taken, the rest released` : (charge.reason ?? '')
  return note === '' ? badge : make('div', {}, badge, make('small', {}, note))
}

function choices(row, charge, name, act) {
  const amount = make('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': `Amount to capture of ${name}`,
    value: charge.amount.toFixed(2),
  })
  const capture = make('button', { class: 'primary', type: 'submit' }, 'Capture')
  const cancel = make('button', { class: 'secondary', type: 'button' }, 'Cancel')
  capture.setAttribute('aria-label', `Capture ${name}`)
  cancel.setAttribute('aria-label', `Cancel ${name}`)
  const form = make('form', { class: 'act' }, amount, capture, cancel)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(row, charge, 'capture', { amount: amount.value.trim() })
  })
  cancel.addEventListener('click', () => act(row, charge, 'cancel', {}))
  return form
}
